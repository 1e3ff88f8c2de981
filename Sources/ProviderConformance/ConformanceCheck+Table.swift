// The one table of what adapters are held to: a code, how bad a finding is, who it concerns, what
// holds, and what to do about a finding.

extension ConformanceCheck {
    /// Every check, in the order in which they run.
    public static let all: [ConformanceCheck] = table.map(\.check)

    static let table: [Entry] =
        checkoutURLs + returns + deliveries + events + requests + everything + order

    private static let checkoutURLs: [Entry] = [
        Entry(
            "PC-U01", .wrong, .nothing, "Every checkout URL of the vectors is read as listed.",
            hint: "Compare checkoutURLRules with the vectors.", CheckoutURLChecks.listed),
        Entry(
            "PC-U02", .unsafe, .nothing, "Only https opens a checkout.",
            hint: "Use CheckoutURLRule, or compare the whole scheme.", CheckoutURLChecks.scheme),
        Entry(
            "PC-U03", .unsafe, .nothing, "A host that merely contains the provider's is refused.",
            hint: "Compare whole hosts; a suffix begins with a dot.", CheckoutURLChecks.host),
        Entry(
            "PC-U04", .unsafe, .nothing, "A user name before the host is refused.",
            hint: "Refuse every URL with an @ before its path.", CheckoutURLChecks.userInfo),
        Entry(
            "PC-U05", .unsafe, .nothing, "A port other than 443 is refused.",
            hint: "Read the port as a number; only none and 443 will do.", CheckoutURLChecks.port),
        Entry(
            "PC-U06", .unsafe, .nothing, "A dot behind the host is refused.",
            hint: "Compare the host as written.", CheckoutURLChecks.rootDot),
        Entry(
            "PC-U07", .unsafe, .nothing, "A host with look-alike or invisible letters is refused.",
            hint: "Compare bytes; take ASCII only.", CheckoutURLChecks.lookAlike),
        Entry(
            "PC-U08", .wrong, .nothing, "An empty id is no session.",
            hint: "Refuse a page without an id.", CheckoutURLChecks.emptyID),
        Entry(
            "PC-U09", .unsafe, .nothing, "Dot segments, hidden slashes and controls are no id.",
            hint: "Look at the path as a browser would, then at the id.",
            CheckoutURLChecks.dotSegments),
        Entry(
            "PC-U10", .unsafe, .nothing, "What stands behind # changes nothing.",
            hint: "Cut the fragment off before anything is read.", CheckoutURLChecks.fragment),
    ]

    private static let returns: [Entry] = [
        Entry(
            "PC-R01", .wrong, .returns, "Every return of the vectors is read as listed.",
            hint: "Compare returnVocabulary with the vectors.", ReturnChecks.listed),
        Entry(
            "PC-R02", .wrong, .returns, "Every documented status word means what the vectors say.",
            hint: "Add the word to StatusMapping.", ReturnChecks.words),
        Entry(
            "PC-R03", .unsafe, .returns, "A status word that nobody documents is pending.",
            hint: "Look words up exactly; everything else is pending.", ReturnChecks.unknownWord),
        Entry(
            "PC-R04", .unsafe, .returns, "Without a status word no landing means success.",
            hint: "A success page may be opened by anyone: say pending.", ReturnChecks.noWord),
        Entry(
            "PC-R05", .unsafe, .returns, "Parameters that contradict each other leave it open.",
            hint: "Use ReturnVocabulary, which looks at every occurrence.", ReturnChecks.repeated),
        Entry(
            "PC-R06", .unsafe, .returns, "Escapes are decoded once.",
            hint: "Do not decode what the kit has decoded.", ReturnChecks.decodedOnce),
        Entry(
            "PC-R07", .wrong, .returns, "A template that was not replaced is no id.",
            hint: "Refuse text that is no id of the provider's.", ReturnChecks.template),
        Entry(
            "PC-R08", .unsafe, .returns, "A return about another session is refused.",
            hint: "Call request.check(session:).", ReturnChecks.otherSession),
        Entry(
            "PC-R09", .wrong, .signedReturns, "A signed return holds and means what it says.",
            hint: "Compare plan(for:) with the provider's documentation.",
            SignedReturnChecks.sound),
        Entry(
            "PC-R10", .unsafe, .signedReturns, "Each parameter of a signed return is covered.",
            hint: "Read nothing that the signature does not cover.", SignedReturnChecks.altered),
        Entry(
            "PC-R11", .unsafe, .signedReturns,
            "A return that is not signed never counts as signed.",
            hint: "Throw missing_signature; hand over the decoded signature as it is.",
            SignedReturnChecks.unsigned),
    ]

    private static let deliveries: [Entry] = [
        Entry(
            "PC-W01", .wrong, .webhooks, "Every genuine delivery of the vectors is accepted.",
            hint: "Compare plans(for:) with the provider's documentation.",
            DeliveryChecks.acceptedVectors),
        Entry(
            "PC-W02", .unsafe, .webhooks,
            "Every forged delivery of the vectors is refused, and why.",
            hint: "Throw the reason that fits from plans(for:).", DeliveryChecks.rejectedVectors),
        Entry(
            "PC-W03", .wrong, .webhooks, "A delivery that the fixtures sign is accepted.",
            hint: "One of adapter and fixtures signs otherwise than documented.",
            DeliveryChecks.sound),
        Entry(
            "PC-W04", .unsafe, .webhooks, "A signature with any bit flipped is refused.",
            hint: "Hand over the whole decoded signature.", DeliveryChecks.flippedBits),
        Entry(
            "PC-W05", .unsafe, .webhooks, "A signature of another length is refused.",
            hint: "Hand over the decoded signature as it is: no padding, no cutting.",
            DeliveryChecks.wrongLength),
        Entry(
            "PC-W06", .unsafe, .webhooks, "A delivery without one of its headers is refused.",
            hint: "Read headers with one(_:), which throws.", MessageChecks.droppedHeaders),
        Entry(
            "PC-W07", .unsafe, .webhooks, "A header that comes twice with two values is refused.",
            hint: "Read headers with one(_:), not first(_:).", MessageChecks.doubledHeaders),
        Entry(
            "PC-W08", .wrong, .webhooks, "The case of header names does not matter.",
            hint: "Read headers through HeaderList.", MessageChecks.headerCase),
        Entry(
            "PC-W09", .unsafe, .webhooks, "A changed body is refused or says the same.",
            hint: "Sign delivery.body as it is: no trimming, no parsing and writing again.",
            MessageChecks.alteredBody),
        Entry(
            "PC-W10", .unsafe, .webhooks, "The body of another genuine delivery is refused.",
            hint: "The body must be among the signed bytes.", MessageChecks.swappedBodies),
        Entry(
            "PC-W11", .unsafe, .webhooks, "Long lists of signatures do no harm.",
            hint: "Use SignatureList or TimedSignatureHeader.", DeliveryChecks.longList),
        Entry(
            "PC-W12", .unsafe, .webhooks, "Without a secret nothing is believed.",
            hint: "Give each secret a rule with a length; name the roles that verify.",
            DeliveryChecks.emptySecret),
        Entry(
            "PC-W13", .unsafe, .webhooks, "Another key's signature is refused.",
            hint: "Check with the receiver's own keys only.", DeliveryChecks.otherSecret),
        Entry(
            "PC-W14", .wrong, .webhooks, "Both secrets hold while they are rotated.",
            hint: "Name the role in the plan; the kit tries each secret.", DeliveryChecks.rotated),
        Entry(
            "PC-W15", .unsafe, .webhooks, "The signed time is looked at, both ways, ends included.",
            hint: "Give the plan a TimeWindow with the documented tolerance.",
            DeliveryChecks.clock),
        Entry(
            "PC-W16", .unsafe, .hints, "An unsigned note names what to ask about and no more.",
            hint: "Return nil for a note that names nothing.", DeliveryChecks.hint),
    ]

    private static let events: [Entry] = [
        Entry(
            "PC-E01", .wrong, .webhooks, "Each kind of event is read as that kind.",
            hint: "Add the provider's word to StatusMapping.", EventChecks.kinds),
        Entry(
            "PC-E02", .unsafe, .webhooks, "A retry has the names of the first arrival.",
            hint: "Name events by the provider's id, not by time or signature.",
            EventChecks.retries),
        Entry(
            "PC-E03", .unsafe, .webhooks, "Different events have different names.",
            hint: "Where there is no event id, join type, object id and state.",
            EventChecks.distinct),
        Entry(
            "PC-E04", .wrong, .webhooks, "A list says what its items say, each under its own name.",
            hint: "Make one event an item, with a key of its own.", EventChecks.lists),
        Entry(
            "PC-E05", .wrong, .webhooks, "An unknown type is ignored and its name kept.",
            hint: "Return an ignored event; do not throw.", EventChecks.unknownType),
        Entry(
            "PC-E06", .wrong, .webhooks,
            "What was stored is acknowledged, what was refused is not.",
            hint: "Answer as the provider's documentation wants it.", EventChecks.acknowledged),
        Entry(
            "PC-E07", .unsafe, .webhooks, "Amounts with 0, 2 and 3 decimals are read exactly.",
            hint: "Read amounts with JSONFields and the provider's MoneyProfile.",
            AmountChecks.decimals),
        Entry(
            "PC-E08", .unsafe, .webhooks,
            "Fractions, exponents and overflowing amounts are refused.",
            hint: "Never read an amount through a floating-point number.", AmountChecks.broken),
        Entry(
            "PC-E09", .wrong, .webhooks, "A currency counts in either case, and only a real one.",
            hint: "Read the currency with JSONFields.", AmountChecks.currencyCase),
        Entry(
            "PC-E10", .unsafe, .webhooks, "Live and test are never mixed.",
            hint: "Take the mode from the body, else from the configuration.", EventChecks.modes),
        Entry(
            "PC-E11", .unsafe, .webhooks, "Refunds and disputes leave the payment's status alone.",
            hint: "Report them as refund and dispute events.", EventChecks.apart),
        Entry(
            "PC-E12", .unsafe, .webhooks, "Ids stand in their own places and name the subject.",
            hint: "Compare ProviderIDs with the provider's field names.", EventChecks.ids),
    ]

    private static let requests: [Entry] = [
        Entry(
            "PC-Q01", .wrong, .queries, "Every documented status of a reply is read as listed.",
            hint: "Add the word to StatusMapping.", StatusChecks.words),
        Entry(
            "PC-Q02", .unsafe, .queries, "A status that nobody documents tells nothing.",
            hint: "Return indeterminate for words that are not in StatusMapping.",
            StatusChecks.unknownWord),
        Entry(
            "PC-Q03", .unsafe, .queries, "404, 429, 5xx and redirects tell nothing.",
            hint: "Read replies with statusObject().", StatusChecks.trouble),
        Entry(
            "PC-Q04", .unsafe, .queries, "A reply that is cut off tells nothing.",
            hint: "Read replies with statusObject().", StatusChecks.truncated),
        Entry(
            "PC-Q05", .unsafe, .queries, "A reply about something else tells nothing.",
            hint: "Compare the reply's id with the target's.", StatusChecks.otherObject),
        Entry(
            "PC-Q06", .wrong, .queries, "A refused API key says nothing of the payment.",
            hint: "Throw unauthorized.", StatusChecks.refusedKey),
        Entry(
            "PC-Q07", .unsafe, .queries, "A query goes over https and shows no secret.",
            hint: "Put secrets into headers only.", StatusChecks.requests),
        Entry(
            "PC-Q08", .unsafe, .queries, "No id changes the path of a query.",
            hint: "Write ids with URLSegment.encoded.", StatusChecks.hostileIDs),
        Entry(
            "PC-Q09", .unsafe, .creation, "A creation goes over https, shows no secret, repeats.",
            hint: "Make the plan of the draft, the key, the time and the nonce only.",
            RequestChecks.creation),
        Entry(
            "PC-Q10", .unsafe, .creation, "A repeated creation carries the same idempotency key.",
            hint: "Send the key that was given; make none.", RequestChecks.idempotency),
        Entry(
            "PC-Q11", .wrong, .creation, "The session that was made is read.",
            hint: "Compare interpretCreation with the provider's documentation.",
            RequestChecks.created),
        Entry(
            "PC-Q12", .unsafe, .creation, "A creation without a clear answer is left open.",
            hint: "Read replies with createdObject().", RequestChecks.creationTrouble),
        Entry(
            "PC-Q13", .unsafe, .keys, "Published keys come over https, and noise publishes none.",
            hint: "Read replies strictly; take a key only with its serial number.",
            RequestChecks.keys),
        Entry(
            "PC-Q14", .unsafe, .completion, "A completion carries its key and takes money once.",
            hint: "Send the key that was given, as the provider's documentation wants it.",
            CompletionChecks.requests),
        Entry(
            "PC-Q15", .unsafe, .completion, "A completion is read as documented, else left open.",
            hint: "Read replies with statusReport; tell nothing in doubt.",
            CompletionChecks.replies),
    ]

    private static let everything: [Entry] = [
        Entry(
            "PC-X01", .wrong, .nothing, "The vectors can be read and are this adapter's.",
            hint: "Correct the vector file.", HonestyChecks.vectors),
        Entry(
            "PC-X02", .unsafe, .webhooks, "Random deliveries are refused and never a trap.",
            hint: "Look where the body's bytes are left out of the signed ones.",
            RobustnessChecks.randomDeliveries),
        Entry(
            "PC-X03", .unsafe, .webhooks, "Signed bodies that make no sense mean nothing.",
            hint: "Read fields with JSONFields, and require what the type needs.",
            RobustnessChecks.randomBodies),
        Entry(
            "PC-X04", .unsafe, .nothing, "Random URLs are no checkout pages and never a trap.",
            hint: "Use CheckoutURLRule.", RobustnessChecks.randomURLs),
        Entry(
            "PC-X05", .unsafe, .returns, "Random returns are pending and never a trap.",
            hint: "Use ReturnVocabulary.", RobustnessChecks.randomReturns),
        Entry(
            "PC-X06", .unsafe, .nothing, "Random replies tell nothing and are never a trap.",
            hint: "Read replies with statusObject() and createdObject().",
            RobustnessChecks.randomReplies),
        Entry(
            "PC-X07", .unsafe, .nothing, "The same input gives the same answer.",
            hint: "Keep no state, read no clock, take no random numbers.",
            RobustnessChecks.deterministic),
        Entry(
            "PC-X08", .unsafe, .nothing, "No description shows a secret or a person.",
            hint: "Keep secrets out of the configuration and addresses in privateFields.",
            RobustnessChecks.descriptions),
        Entry(
            "PC-X09", .wrong, .nothing, "What the adapter claims is exercised.",
            hint: "Add what is missing to the fixtures or the vectors, or drop the conformance.",
            HonestyChecks.capabilities),
        Entry(
            "PC-X10", .wrong, .nothing,
            "The descriptor can be registered and refuses empty secrets.",
            hint: "Correct the descriptor.", HonestyChecks.descriptor),
    ]

    private static let order: [Entry] = [
        Entry(
            "PC-O01", .unsafe, .webhooks, "Every order of a payment's events gives the same state.",
            hint: "Report each event by itself, with the provider's time.",
            OrderChecks.everyOrder),
        Entry(
            "PC-O02", .unsafe, .webhooks, "A paid session stays paid, whatever comes after.",
            hint: "Report a late reversal as a refund or dispute of its own.",
            OrderChecks.neverBack),
        Entry(
            "PC-O03", .unsafe, .webhooks, "Refunds stand apart, and repetitions count once.",
            hint: "Give refunds and disputes their own ids.", OrderChecks.countedOnce),
    ]
}
