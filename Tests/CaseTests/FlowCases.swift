/// What only a running checkout can show: it waits for the flow's own tests.
///
/// A case or a condition that is not in the file makes a test fail, so the list cannot outlive it.
enum FlowCases {
    static let reason = "needs the running flow"

    /// Cases of which every condition needs the flow.
    static let cases: [String: String] = [
        "pub-ret-18": reason, "pub-ret-19": reason, "pub-url-09": reason,
    ]

    /// Single conditions of cases whose others are run: `id: condition`.
    static let conditions: [String: String] = [
        "pub-ret-02: record cleared": reason,
        "pub-ret-05: checkout keeps waiting": reason,
        "pub-ret-06: checkout keeps waiting": reason,
        "pub-ret-07: checkout keeps waiting": reason,
        "pub-ret-07: no event recorded": reason,
        "pub-ret-08: record kept": reason,
        "pub-ret-16: record kept": reason,
        "pub-ret-20: nothing recorded": reason,
        "pub-url-03: nothing recorded or opened": reason,
    ]
}
