public import ProviderKit
import Synchronization

/// Answers from a script and remembers what was asked; sends nothing.
///
/// For tests and previews.
public final class RecordedTransport: HTTPTransport {
    /// What a request gets.
    public typealias Answer = Result<HTTPReply, TransportError>

    private let answer: @Sendable (HTTPRequestPlan, Int) -> Answer
    private let asked = Mutex<[HTTPRequestPlan]>([])

    /// Lets `answer` decide; its second value counts the requests from 0.
    public init(answer: @escaping @Sendable (HTTPRequestPlan, Int) -> Answer) {
        self.answer = answer
    }

    /// Gives the answers in their order, whatever is asked, and `network_failed` after the last.
    public convenience init(_ answers: [Answer]) {
        self.init { _, index in
            index < answers.count ? answers[index] : .failure(TransportError(.network, host: ""))
        }
    }

    /// What was asked, in order; the headers hold whatever secrets they were given.
    public var requests: [HTTPRequestPlan] { asked.withLock { $0 } }

    /// The script's answer.
    public func send(
        _ plan: HTTPRequestPlan, deadline: Duration
    ) async throws(TransportError) -> HTTPReply {
        let index = asked.withLock { asked in
            asked.append(plan)
            return asked.count - 1
        }
        return try answer(plan, index).get()
    }
}
