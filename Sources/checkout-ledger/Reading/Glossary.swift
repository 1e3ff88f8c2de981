import CommandKit

extension HelpTopic {
    /// The words of the product, one meaning each.
    static let glossary = HelpTopic(
        "glossary", "What the words mean",
        text: """
            event         a fact that happened to a checkout, never edited
            position      place in the whole log, from 0, without gaps; written @311
            session       one hosted checkout; named by the provider's id, or provider/id
            stream        the events of one session, in order
            status        what an app may show: succeeded, failed, cancelled, pending, expired
            evidence      how we know: hint (app, return URL), verified (signed webhook,
                          provider's answer), operator (a person, with a reason)
            outcome       what is held true; only verified or operator evidence makes one
            abandoned     shown to a customer, no outcome, and old enough to ask about;
                          it may have been paid
            discrepancy   a contradiction worth a person's look
            delivery      one arrival of a webhook, kept byte for byte, sealed
            projection    what is folded from the events; can be rebuilt by 'replay'
            seal          a signed head: how many events there are, and their root hash
            anchor        a seal that was kept elsewhere, and is compared by 'verify'
            epoch         what was sealed as one log; a new one begins after a restore
            sealed        kept encrypted under a key of its own session; --private opens it
            erase         destroy the keys of a subject's private fields; the log stays
            subject       whose private fields are meant: a session, or a customer
            hold          keys that the law wants kept: nothing destroys them until it is released

            """)

    /// The members of each command's JSON rows.
    static let formats = HelpTopic(
        "formats", "The members of JSON rows",
        text: """
            With --json, data alone stands on standard output, one object a line. Amounts are
            integers of minor units; times are ISO 8601 in UTC with microseconds. --json=a,b
            prints these members only, --json=? lists them. An error is one object on standard
            error: {"schema":"error/1","code","message","hint"}.

            """ + shapes.map(section).joined())

    /// Every shape that a reading command writes, and those of running checkouts.
    static let shapes = [
        EventRow.shape, eventDetailShape, SessionRow.shape, asOfShape, storyShape, abandonedShape,
        outcomeShape, discrepancyShape, replayShape, verifyShape, statsShape, providerShape,
        reconcileShape, providerFindingShape, checkoutShape, webhookShape, webhookDetailShape,
        explainedDeliveryShape, triggerShape, doctorShape,
        listenShape, AuditListing.shape, erasureShape, holdShape,
    ]

    private static func section(_ shape: RowShape) -> String {
        "\n\(shape.title)\n" + shape.lines.map { "  \($0)\n" }.joined()
    }
}
