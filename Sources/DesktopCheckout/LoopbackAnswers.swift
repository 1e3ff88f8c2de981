import Synchronization

/// Decides what a loopback listener answers; one for both of its addresses.
final class LoopbackAnswers: Sendable {
    private let address: LoopbackAddress
    private let page: [UInt8]
    private let gate: ReturnGate
    private let isTaken = Atomic<Bool>(false)

    init(address: LoopbackAddress, page: ReturnPage, gate: ReturnGate) {
        self.address = address
        self.page = page.html
        self.gate = gate
    }

    /// What is sent, and the return to hand over once it has been.
    struct Answer {
        var status: UInt32
        var type = "text/plain; charset=utf-8"
        var body: [UInt8]
        /// Header fields beside those of every answer.
        var fields: [(name: String, value: String)] = []
        var url: String?

        init(_ status: UInt32, _ text: String) {
            self.status = status
            body = Array(text.utf8)
        }
    }

    func answer(method: String, target: [UInt8], host: String?) -> Answer {
        guard let host, let url = address.url(target: target, host: host) else {
            return Answer(404, "There is nothing here.\n")
        }
        guard method == "GET" else {
            var answer = Answer(405, "Only GET is answered.\n")
            answer.fields = [("Allow", "GET")]
            return answer
        }
        guard !isTaken.exchange(true, ordering: .acquiringAndReleasing) else {
            return Answer(410, "This return was taken before. You can close this window.\n")
        }
        var answer = Answer(200, "")
        answer.body = page
        answer.type = "text/html; charset=utf-8"
        answer.url = url
        return answer
    }

    func hand(over url: String) { gate.deliver(url) }

    /// Header fields of every answer: kept by nobody, framed by nobody, nothing loaded.
    static let fields: [(name: String, value: String)] = [
        ("Content-Security-Policy", ReturnPage.contentSecurityPolicy),
        ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer"),
        ("X-Content-Type-Options", "nosniff"), ("Connection", "close"),
    ]
}
