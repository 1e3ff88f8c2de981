import CommandKit

extension HelpTopic {
    static let sandbox = HelpTopic(
        "sandbox", "A make-believe provider on this machine, to try everything with",
        text: """
            'serve --sandbox' carries a provider that does not exist: hosted checkout pages, an
            API, signed webhooks. Its money is pretend, and everything says so: its events are of
            mode test, its keys begin with sbx_test_, and it is refused beside a live account. It
            is for this machine alone, and what it holds is gone when the server stops.

              http://127.0.0.1:8787/sandbox   all checkouts; make one, refund, dispute, send again

            By its API, with the key that 'serve' prints:

              curl http://127.0.0.1:8787/sandbox/api/checkouts \\
                -H 'Authorization: Bearer sbx_test_…' -H 'Idempotency-Key: wish-1' \\
                -d '{"amount": 1999, "currency": "EUR", "reference": "order-7",
                     "return_url": "http://localhost:3000/thanks"}'

              POST checkouts                  amount in minor units, currency, return_url; also
                                              title, reference, cancel_url, customer_email,
                                              expires_in (seconds), sandbox (below)
              GET  checkouts/ID               open, paid or expired
              POST checkouts/ID/expire
              GET  payments/ID                pending, succeeded, failed or cancelled
              POST payments/ID/refunds        all of it, or "amount"; "fails": true
              POST payments/ID/disputes
              GET  refunds/ID, disputes/ID
              POST disputes/ID                "status": under_review, won, lost, closed

            Open the url of the reply. The page can pay, be declined, ask a made-up bank (3-D
            Secure), pay and stay, leave, or run out; the browser goes back to return_url with
            checkout_id, payment_id and status behind the shop's own parameters.

            Webhooks go to /webhooks/sandbox of the same server, by the Standard Webhooks scheme,
            and come again until they are accepted. What goes wrong on the way is up to you, for
            each checkout under "sandbox" or on its page:

              delay_seconds   wait before the first attempt
              duplicates      copies after the first was accepted
              disorder        true: every other one is held back, so that later ones overtake it
              loss            none; first (the first attempt of each); all

            With an account of your own at it in --config, that account's secrets are used:

              "sandbox": {"mode": "test", "origin": "http://127.0.0.1:8787",
                          "webhookSecretFile": "sandbox.secret", "apiKeyFile": "sandbox.key"}

            """)
}
