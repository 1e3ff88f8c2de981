import CommandKit

extension HelpTopic {
    static let config = HelpTopic(
        "config", "The file that names your accounts at payment providers",
        text: """
            One JSON file, given with --config FILE or in CHECKOUT_LEDGER_CONFIG. It holds no
            secret: it names the files, or the environment variables, that do.

              {"providers": {
                 "dodo":   {"mode": "live",
                            "apiKeyFile": "dodo-api.key",
                            "webhookSecretFile": "dodo-webhook.txt"},
                 "stripe": {"accounts": {
                    "eu": {"mode": "live", "apiKeyEnvironment": "STRIPE_EU_KEY"},
                    "us": {"mode": "test", "apiKeyFile": ["us-new.key", "us-old.key"]}}}}}

            A provider has either one account, whose settings stand right there, or "accounts", each
            under your own name for it: the one that record's --account takes.

              mode                   live or test; a key that says it is for the other is refused
              apiKeyFile             calls the provider's API: what reconcile asks with
              webhookSecretFile      checks its webhooks; while rotating, one secret a line
              webhookPublicKeyFile   the provider's public key, where it signs with its own
              signingKeyFile         your private key, where requests are signed (PEM)
              decryptionKeyFile      opens what the provider seals
              secretFile             the one secret that checks webhooks, where there is only one

            Instead of …File, …Environment names a variable that holds the secret. Each takes a name
            or a list of names. Which of them a provider has, and its other settings, such as
            businessID or toleranceSeconds, a misspelt name lists. Files are looked for beside the
            configuration; mode 0600 is best, and others that can read one get you a warning.

              "network": {
                "rootsFile": "company-roots.pem",     trust these roots, not the system's,
                                                      also for keys that webhooks name
                "proxy": "environment",               use https_proxy and no_proxy
                "loopback": {"test.dodopayments.com": "http://127.0.0.1:8080"}}

              "privacy": {
                "rootKey": {"file": "root.key"},      or {"credential": "root-key"}, a systemd
                                                      credential, or {"command": ["/usr/bin/kms"]}
                "keepDays": {"contact": 400}}         what 'privacy sweep' lets go; commercial too

            loopback lets a server on this machine play a provider; every account must then be a
            test account. Redirects are never followed and certificates always checked.

              "server": {                             how serve runs; its options win
                "address": "127.0.0.1", "port": 8787,
                "publicURL": "https://pay.shop.example",   how providers reach it
                "hosts": ["ledger.lan"],              further names that browsers may ask for
                "tokenFile": "token.txt",             opens the pages; needed beyond loopback
                "allowActions": false,                true lets buttons do something
                "resendTo": "https://test.example/hooks",  where one sends a webhook again
                "reconcileEveryMinutes": 15,          ask providers by itself; 0 for never
                "logFormat": "json",                  or text
                "connections": 512, "connectionsPerAddress": 256}

            The file is read whole and every mistake in it named. With a secret that is missing or
            cannot be one the program does not start (exit code 4).

            """)
}
