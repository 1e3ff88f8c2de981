import CheckoutLedger
import CommandKit
import HTTPServer

extension Entry {
    static let serve = Entry(
        .receive,
        Command(
            "serve", "Run the webhook receiver and the dashboard",
            discussion: """
                Takes the webhooks of every account in --config at /webhooks/PROVIDER, or at \
                /webhooks/PROVIDER/ACCOUNT where a provider has several. Each is verified, stored \
                and flushed to disk before it is acknowledged; what cannot be stored now is \
                answered 503, and the provider sends it again. /healthz says whether the ledger \
                moves, /metrics counts for Prometheus.

                The ledger is created where there is none. Speaks no TLS: put a reverse proxy \
                before it, and say in the configuration by which URL it is reached. An address \
                that other machines reach needs --token-file: a text of 32 characters or more, \
                which opens the pages; webhooks need none.

                The pages at / only show, unless --allow-actions lets their buttons verify the \
                log, ask providers, and send a stored webhook again to --resend-to. What was \
                verified and what was sent is itself recorded, with how the visitor was let in.

                SIGTERM and Ctrl-C let requests under way finish and end with 0. SIGHUP reads the \
                configuration again; with a mistake in it the old one stays. Sockets that systemd \
                opened are taken over in place of --address and --port.
                """,
            options: [
                .value(
                    "address", .text, placeholder: "ADDRESS",
                    "The address to listen at (else the configuration's, else 127.0.0.1)"),
                .value(
                    "port", .integer(0...65_535),
                    "The port, 0 for any free one (else the configuration's, else 8787)"),
                .value(
                    "token-file", .path, placeholder: "FILE",
                    "The secret that opens the pages; needed for other addresses than loopback"),
                .flag("allow-actions", "Let buttons on the pages do something"),
                .value(
                    "resend-to", .text, placeholder: "URL",
                    "Where a button on the pages sends a stored webhook again, signed anew (else "
                        + "the configuration's)"),
                .value(
                    "reconcile-every", .integer(0...10_080), placeholder: "MINUTES",
                    "Ask providers about sessions without an outcome, every so many minutes; 0 "
                        + "for never (else the configuration's, else 15 where there is an API key)"
                ),
                .value(
                    "log-format",
                    .choice(LedgerConfiguration.Server.LogFormat.allCases.map(\.rawValue)),
                    placeholder: "FORMAT",
                    "How log lines on standard error look: text or json (else the "
                        + "configuration's, else text)"),
                .flag(
                    "sandbox",
                    "Carry a make-believe provider at /sandbox, with an account at it; see 'help "
                        + "sandbox'"),
                .flag("print-unit", "Print a systemd service and socket for this command, and end"),
            ],
            examples: [
                Example("serve --ledger shop.ledger --config shop.json", "On 127.0.0.1:8787"),
                Example(
                    "serve --address 0.0.0.0 --token-file token.txt --reconcile-every 15",
                    "For other machines, asking providers every quarter of an hour"),
                Example("serve --sandbox", "Try everything, with pretend money"),
                Example("serve --print-unit", "What to put into /etc/systemd/system"),
            ])
    ) { context in
        if context.command.has("print-unit") {
            try context.output.write(SystemdUnit.text)
            return .done
        }
        return try await ServeRunner(context).run()
    }
}
