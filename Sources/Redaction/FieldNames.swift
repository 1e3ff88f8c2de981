/// Names of fields that decide about their value, whatever it is.
///
/// A name counts exactly, in lower case and without `_`, `-`, `.` and blanks: `cardNumber` and
/// `card_number` are one, `panel` is not `pan`. The last part of a path decides, and the last two
/// joined: `card.number` reads as `cardnumber`.
enum FieldNames {
    struct Entry: Sendable {
        let name: [UInt8]
        let rule: RedactionRule
        let action: RedactionRule.Action
        let hash: UInt64
    }

    private static let names: [(rule: RedactionRule, names: String)] = [
        (
            .cardField,
            "cardnumber pan ccnumber ccnum cardno cardnum creditcardnumber debitcardnumber "
                + "creditcard primaryaccountnumber fullpan"
        ),
        (
            .securityCode,
            "cvv cvv2 cvc cvc2 csc cvn cav2 securitycode cardsecuritycode cvvcode cvccode "
                + "cardverificationvalue cardverificationcode verificationvalue cardcvc cardcvv"
        ),
        (
            .trackData,
            "track1 track2 trackdata track1data track2data track2equivalentdata magstripe "
                + "magneticstripe magnetictrack"
        ),
        (.pin, "pin pinblock pinnumber cardpin encryptedpin encryptedpinblock"),
        (
            .cardDetail,
            "expmonth expyear cardexpiry cardexpiration cardexpirydate cardexpirationdate "
                + "cardexpmonth cardexpyear cardexpirymonth cardexpiryyear ccexp expirymonth "
                + "expiryyear expirationmonth expirationyear additionaldataexpirydate "
                + "cardholdername cardholder nameoncard cardname servicecode"
        ),
        (
            .credential,
            "password passwd pwd passphrase secret clientsecret apikey xapikey secretkey "
                + "privatekey accesstoken refreshtoken authtoken authorization "
                + "proxyauthorization cookie setcookie"
        ),
        (
            .personalField,
            "email emailaddress customeremail buyeremail payeremail receiptemail billingemail "
                + "useremail customername buyername payername firstname lastname fullname "
                + "givenname familyname surname billingname phone phonenumber mobile telephone "
                + "customerphone ip ipaddress clientip remoteip customerip useragent address "
                + "streetaddress addressline1 addressline2 street postalcode zipcode "
                + "billingaddress shippingaddress licensekey licencekey taxid vatnumber vatid "
                + "ssn dateofbirth birthdate"
        ),
    ]

    private static let entries: [Entry] = names.flatMap { rule, names in
        names.split(separator: " ").map { name in
            // A code or a number by its name is turned away, though in text both are masked.
            let action: RedactionRule.Action = rule == .securityCode ? .refuse : rule.action
            let bytes = Array(name.utf8)
            return Entry(
                name: bytes, rule: rule, action: action,
                hash: bytes.reduce(startOfHash) { mix($0, $1) })
        }
    }

    private static let slotCount = 1_024

    /// Place of a name's entry, plus one, by its hash; the next free place when that is taken.
    private static let slots: [UInt8] = {
        precondition(entries.count < 255, "a slot holds a byte")
        var slots = [UInt8](repeating: 0, count: slotCount)
        for (index, entry) in entries.enumerated() {
            var slot = Int(truncatingIfNeeded: entry.hash) & (slotCount - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (slotCount - 1) }
            slots[slot] = UInt8(index + 1)
        }
        return slots
    }()

    static let startOfHash: UInt64 = 0xCBF2_9CE4_8422_2325

    @inline(__always)
    static func mix(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
        (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }

    /// Hashes a name without what does not count in it, going on from the name in front of it.
    @inline(__always)
    static func hash(
        _ name: UnsafeBufferPointer<UInt8>, after start: UInt64 = startOfHash
    ) -> UInt64 {
        var hash = start
        for byte in name where byte.isLetterOrDigit { hash = mix(hash, byte.lower) }
        return hash
    }

    /// The entry of that hash; nil for nearly all.
    @inline(__always)
    static func entry(hash: UInt64) -> Entry? {
        var slot = Int(truncatingIfNeeded: hash) & (slotCount - 1)
        while slots[slot] != 0 {
            let entry = entries[Int(slots[slot]) - 1]
            if entry.hash == hash { return entry }
            slot = (slot + 1) & (slotCount - 1)
        }
        return nil
    }

    /// What a path's name says about its value, such as `payment.card_number` or `card[cvc]`.
    static func entry(path: UnsafeBufferPointer<UInt8>) -> Entry? {
        guard let last = part(of: path, before: path.count) else { return nil }
        if let entry = entry(hash: hash(UnsafeBufferPointer(rebasing: path[last]))) { return entry }
        guard let first = part(of: path, before: last.lowerBound) else { return nil }
        let start = hash(UnsafeBufferPointer(rebasing: path[first]))
        return entry(hash: hash(UnsafeBufferPointer(rebasing: path[last]), after: start))
    }

    /// The last part of a path in front of an index, without the dot or the brackets around it.
    private static func part(
        of path: UnsafeBufferPointer<UInt8>, before index: Int
    ) -> Range<Int>? {
        func isBorder(_ byte: UInt8) -> Bool { byte == 0x2E || byte == 0x5B || byte == 0x5D }
        var end = index
        while end > 0, isBorder(path[end - 1]) { end -= 1 }
        var start = end
        while start > 0, !isBorder(path[start - 1]) { start -= 1 }
        return start < end ? start..<end : nil
    }
}
