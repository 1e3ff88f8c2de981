import CommandKit

extension HelpTopic {
    static let privacy = HelpTopic(
        "erasing", "What is sealed, where the keys are, what erasing does and cannot do",
        text: """
            Sealed, with AES-256-GCM under keys of each session's own: e-mail addresses, names,
            webhook bodies and headers, return URLs (class contact), and licence keys (class
            commercial). In clear: ids, amounts, times, statuses, reasons and notes. Write no
            personal data into a reason or a note: nothing in the log is ever edited or deleted.

              shop.ledger/        the log; its sealed fields open with the keys only
              shop.ledger/keys/   the sessions' keys, wrapped by the root key
              the root key        outside the ledger, in your state directory by the ledger's id,
                                  or where --root-key says; mode 0600

            Keep a copy of the root key apart from the ledger and its backups. Without it sealed
            fields can be neither read nor written; everything else works.

              export   the log byte for byte, sealed fields sealed, no keys
              backup   a copy of the log; the wrapped keys only with --with-keys DIR
              explain  shows what a URL says, e-mail addresses too; records nothing

            Secrets that sign webhooks are read from files, never from the command line, and never
            shown. Where a webhook echoes one, it is masked before anything is stored, and the
            event says that it was altered.

            'privacy erase' destroys the keys. Events, hashes, proofs and outcomes stay as they are;
            'replay' gives the same state. A sealed field is then one of three, never mixed:

              erased        destroyed by a request; shown with its time
              key missing   no key and no request: kept elsewhere, or lost. Look for the keystore
              tampered      the bytes are not what was sealed, or their key was changed

            'privacy status --fields' opens every sealed field and counts the three apart.

            How far an erasure reaches stands in its receipt:

              key-removed          the rows are gone; the keystore's file may hold old bytes
              keystore-rewritten   a new file under new keys; an older copy of the keystore still
                                   opens with the old root key
              root-replaced        no older copy opens with the root key that is left

            The root key comes from a file of mode 0600 outside the ledger (--root-key, or "file" in
            the configuration), from a systemd credential, or from a program that prints it. Only
            the key in a file can be replaced here. The owner of the others adds the new key as a
            second line, runs 'privacy rotate', removes the first line, and runs it once more: that
            rotation states that the old key is given no more, and earlier erasures are final.

            'privacy hold' forbids erasing until it is released; an erasure that is refused for it
            is an event too. 'privacy sweep', run every day, ends what is past its time, and finds
            keys of erased subjects that a killed process or a restored keystore left.

            What no erasure here reaches: backups of the root key, exports and answers that were
            opened before, what a provider or a merchant's own systems know, and whatever a disk
            keeps of overwritten blocks. Name copies with --copy; the receipt lists them.

            """)
}
