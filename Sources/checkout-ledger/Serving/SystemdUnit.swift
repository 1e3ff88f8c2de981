/// How a service manager runs the server.
enum SystemdUnit {
    /// A service, and a socket for those who want connections to wait while it starts again.
    static let text = """
        # /etc/systemd/system/checkout-ledger.service
        # The program is expected at /usr/local/bin/checkout-ledger; configuration and secrets in
        # /etc/checkout-ledger, readable for the user below alone; ledger and root key in /var/lib.
        # Make the user first: useradd --system --no-create-home checkout-ledger
        [Unit]
        Description=Checkout Ledger: webhook receiver
        Wants=network-online.target
        After=network-online.target

        [Service]
        ExecStart=/usr/local/bin/checkout-ledger serve --log-format json \\
            --ledger /var/lib/checkout-ledger/shop.ledger \\
            --root-key /var/lib/checkout-ledger-keys/root.key \\
            --config /etc/checkout-ledger/config.json
        ExecReload=/bin/kill -HUP $MAINPID
        # Requests under way have 20 seconds to finish.
        TimeoutStopSec=30
        Restart=on-failure
        RestartSec=2

        User=checkout-ledger
        StateDirectory=checkout-ledger checkout-ledger-keys
        StateDirectoryMode=0700
        UMask=0077

        # It reads its configuration, writes its state, and speaks TCP: nothing else is there.
        ProtectSystem=strict
        ProtectHome=yes
        PrivateTmp=yes
        PrivateDevices=yes
        ProtectClock=yes
        ProtectHostname=yes
        ProtectKernelLogs=yes
        ProtectKernelModules=yes
        ProtectKernelTunables=yes
        ProtectControlGroups=yes
        ProtectProc=invisible
        RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
        RestrictNamespaces=yes
        RestrictRealtime=yes
        RestrictSUIDSGID=yes
        LockPersonality=yes
        MemoryDenyWriteExecute=yes
        NoNewPrivileges=yes
        CapabilityBoundingSet=
        SystemCallArchitectures=native
        SystemCallFilter=@system-service
        SystemCallFilter=~@privileged
        SystemCallErrorNumber=EPERM

        [Install]
        WantedBy=multi-user.target

        # /etc/systemd/system/checkout-ledger.socket, if connections are to wait during a restart:
        # enable it, and remove WantedBy= above.
        # [Unit]
        # Description=Checkout Ledger: where webhooks arrive
        #
        # [Socket]
        # ListenStream=127.0.0.1:8787
        #
        # [Install]
        # WantedBy=sockets.target

        """
}
