import CheckoutModel

/// A set of kinds of contradiction, one bit each.
///
/// A kind that this build does not list has the last bit: it is counted, and named by its session.
struct CodeSet: OptionSet, Sendable, Hashable {
    let rawValue: UInt32

    init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The set of one kind.
    init(_ code: Discrepancy.Code) {
        let index = Discrepancy.Code.all.firstIndex(of: code) ?? Self.unlisted
        rawValue = 1 << UInt32(index)
    }

    init(_ codes: some Sequence<Discrepancy.Code>) {
        self = codes.reduce(into: []) { $0.formUnion(CodeSet($1)) }
    }

    private static let unlisted = 31

    /// The kinds that put money in doubt.
    static let needingReview = CodeSet(Discrepancy.Code.all.filter(\.needsReview))

    /// True when money is in doubt.
    var needsReview: Bool { !isDisjoint(with: Self.needingReview) }
}
