/// What a provider's identifier may look like.
///
/// A value of this grammar is an identifier whatever digits stand in it. The list of beginnings is
/// closed: an open one would let a card number in behind any word.
enum IdentifierGrammar {
    /// What identifiers of the supported providers begin with.
    private static let starts: [[UInt8]] = [
        // Dodo Payments
        "cks_", "pay_", "sub_", "ref_", "dis_", "cus_", "bus_", "pdt_", "evt_", "msg_", "lic_",
        // Stripe
        "cs_", "pi_", "ch_", "re_", "du_", "dp_", "in_", "il_", "ii_", "si_", "seti_", "pm_", "py_",
        "pyr_", "txn_", "price_", "prod_", "acct_", "plink_", "promo_", "po_", "req_",
        // Paddle
        "ntf_", "ntfset_", "ctm_", "add_", "adj_", "pri_", "pro_", "che_",
        // Mollie, Razorpay
        "tr_", "ord_", "cst_", "mdt_", "stl_", "order_", "plink_", "rfnd_", "disp_", "cust_",
        "inv_",
        // Checkout.com
        "hpp_", "pl_", "act_", "src_", "pai_", "cli_",
    ].map { Array($0.utf8) }

    /// True for a known beginning with letters, digits, `_` or `-` behind it, for a UUID, and for a
    /// ULID.
    static func holds(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count <= Limits.identifierBytes else { return false }
        return isPrefixed(text) || isUUID(text) || isULID(text)
    }

    private static func isPrefixed(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = starts.first(where: { text.starts(with: $0) }), text.count > start.count
        else { return false }
        return text.dropFirst(start.count).allSatisfy { $0.isWord || $0 == 0x2D }
    }

    /// Five groups of hexadecimal digits: 8-4-4-4-12.
    static func isUUID(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count == 36 else { return false }
        return text.indices.allSatisfy { index in
            [8, 13, 18, 23].contains(index) ? text[index] == 0x2D : text[index].isHexadecimal
        }
    }

    /// 26 characters of Crockford's base 32, at least one of them a letter.
    private static func isULID(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        text.count == 26 && (0x30...0x37).contains(text[0]) && text.contains { $0.isLetter }
            && text.allSatisfy { byte in
                byte.isLetterOrDigit && !"ILOUilou".utf8.contains(byte)
            }
    }
}
