import CommandKit

extension HelpTopic {
    static let signatures = HelpTopic(
        "signatures", "How webhooks are verified, and what to do when one is refused",
        text: """
            A webhook is believed when its signature fits one of your secrets and its time is
            near the receiver's clock: 300 seconds either way for the providers built in. The
            signature covers the body's exact bytes. Whatever reads the JSON and writes it again
            on the way breaks it, so hand over the bytes as they arrived.

              dodo     Standard Webhooks: webhook-id, webhook-timestamp, webhook-signature
              stripe   Stripe-Signature: t=…,v1=…; v0 is never believed

            Secrets come from a file, one a line. While a secret is being rotated, give both.
            A secret that cannot be one (empty, cut, another kind of key) ends the command with
            exit code 4 before anything is verified, so it is never mistaken for a forgery.

            When one is refused, see why with the same files, and with --at for an old one:

              checkout-ledger explain webhook --provider dodo --secret-file secret.txt \\
                --headers-file headers.txt --body-file body.json --at 1772600767

            One that a receiver has stored explains itself: checkout-ledger webhooks explain @318

            The reasons, and what each mostly means:

              missing_header       a proxy dropped it, or it is not this provider's webhook
              ambiguous_header     it came twice with different values
              malformed_header     it cannot be read
              timestamp_malformed  the signature fits, the signed time is none
              timestamp_too_old    an old delivery replayed, or this clock is fast
              timestamp_too_new    this clock is slow
              signature_mismatch   another secret, or changed bytes; the likely cause is named
              unsupported_scheme   only signature versions that are not accepted
              unknown_key          signed with a key that is not known here
              untrusted_key_source the key's place is not trusted
              body_too_large       more than 1 MiB; nothing was read
              decrypt_failed       the signature fits, the sealed part does not open

            The search for a cause tries the usual mistakes for your eyes only: a delivery whose
            signature fits a changed body is still refused.

            """)
}
