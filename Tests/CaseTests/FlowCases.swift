/// What only a running checkout can show: `FlowCaseTests` runs it, the readers of URLs do not.
///
/// A case or a condition that is not in the file makes a test fail, so the list cannot outlive it.
enum FlowCases {
    /// Cases of which every condition needs the flow.
    static let cases: Set<String> = ["pub-ret-18", "pub-ret-19", "pub-url-09"]

    /// Single conditions of cases whose others are run elsewhere: `id: condition`.
    static let conditions: Set<String> = [
        "pub-ret-02: record cleared", "pub-ret-05: checkout keeps waiting",
        "pub-ret-06: checkout keeps waiting", "pub-ret-07: checkout keeps waiting",
        "pub-ret-07: no event recorded", "pub-ret-08: record kept", "pub-ret-16: record kept",
        "pub-ret-20: nothing recorded", "pub-url-03: nothing recorded or opened",
    ]
}
