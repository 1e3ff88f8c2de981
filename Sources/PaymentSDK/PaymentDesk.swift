import CheckoutFlow
import CheckoutModel
import ProviderKit

/// What stands behind the public names: one flow, the orders, and who waits for which.
@MainActor
final class PaymentDesk {
    /// A payment that is being made, and how many wait for it.
    private struct Running {
        let money: Money
        let task: Task<PaymentResult, Never>
        var waiters: Int
    }

    let flow: CheckoutFlow
    let configuration: PaymentConfiguration
    let clock: any FlowClock
    let book: OrderBook
    let journal: FileJournal
    private let stage: PaymentStage
    private let usual: any CheckoutPresenter
    private var running: [String: Running] = [:]

    init(
        _ configuration: PaymentConfiguration, presenter: any CheckoutPresenter,
        clock: any FlowClock, makeKey: @escaping @Sendable () -> String = PaymentDesk.randomKey
    ) {
        self.configuration = configuration
        self.clock = clock
        usual = presenter
        stage = PaymentStage(presenter)
        book = OrderBook(folder: configuration.folder, makeKey: makeKey)
        journal = FileJournal(path: "\(configuration.folder)/sessions.json")
        flow = CheckoutFlow(
            provider: configuration.provider, presenter: stage, journal: journal, clock: clock)
    }

    var isRunning: Bool { !running.isEmpty }

    func isRunning(_ order: String) -> Bool { running[order] != nil }

    /// Joins the payment of the same order, or begins one.
    func pay(
        _ request: PaymentRequest, _ money: Money, on presenter: (any CheckoutPresenter)?
    ) async -> PaymentResult {
        let order = request.orderID
        if let found = running[order] {
            guard found.money == money else { return .failure(.orderChanged) }
            running[order]?.waiters += 1
        } else {
            guard running.isEmpty else { return .failure(.alreadyInProgress) }
            stage.next = presenter ?? usual
            let task = Task { @MainActor in
                let result = await self.run(order, money)
                self.running[order] = nil
                return result
            }
            running[order] = Running(money: money, task: task, waiters: 1)
        }
        guard let task = running[order]?.task else { return .failure(.unknown) }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            Task { @MainActor in self.leave(order, task) }
        }
    }

    /// The payment is called off when the last one who waits for it leaves.
    private func leave(_ order: String, _ task: Task<PaymentResult, Never>) {
        guard let found = running[order], found.task == task else { return }
        running[order]?.waiters -= 1
        if found.waiters == 1 { task.cancel() }
    }

    private func run(_ order: String, _ money: Money) async -> PaymentResult {
        do throws(PaymentError) {
            var entry = try book.open(order, money)
            if let paid = entry.paid {
                return .success(receipt(order, paid, entry.session?.sessionID ?? ""))
            }
            if let session = entry.session {
                if let earlier = try await earlier(session, order) { return earlier }
                entry = try book.open(order, money)
            }
            let session = try await session(for: entry)
            return try await show(session, order, returnURL(of: entry))
        } catch {
            return .failure(error)
        }
    }

    /// What an earlier process, or a late return, knows of the order's session.
    ///
    /// Nil when the session may still be paid, and when a new attempt is due.
    private func earlier(
        _ session: PaymentSession, _ order: String
    ) async throws(PaymentError) -> PaymentResult? {
        let sessions: [JournaledSession]
        do throws(JournalError) {
            sessions = try await journal.sessions()
        } catch {
            // Without it the order might be paid twice.
            throw .notRecorded
        }
        guard let found = sessions.first(where: { $0.key.id == id(of: session) }) else {
            // Noted before it is shown, so it never was.
            if let end = session.expiresAt, end < clock.now() { try book.close(order) }
            return nil
        }
        guard found.isSettled else {
            let life = type(of: configuration.provider).descriptor.sessionLifeSeconds
            let left = AbandonedCheckout(found, lifeSeconds: life, at: clock.now())
            // Its page has nothing to pay any more, and another one could be a second payment.
            return left.isPastLife
                ? .pending(receipt(order, found.returned?.payment ?? found.key.id, found.key.id))
                : nil
        }
        if found.status == .succeeded {
            let transaction =
                found.returned?.payment ?? found.returned?.subscription ?? found.key.id
            return try await succeeded(order, transaction, found.key)
        }
        try book.close(order)
        try? await flow.acknowledge(found.key)
        return nil
    }

    /// Opens the page and reads its result.
    private func show(
        _ session: PaymentSession, _ order: String, _ returnURL: String
    ) async throws(PaymentError) -> PaymentResult {
        let result: CheckoutResult
        do throws(CheckoutError) {
            result = try await flow.start(
                CheckoutRequest(
                    checkoutURL: session.checkoutURL, returnURL: returnURL,
                    sessionID: session.sessionID, expiresAt: session.expiresAt))
        } catch {
            if error.code == .invalidCheckoutURL { try book.drop(sessionOf: order) }
            throw PaymentError(error)
        }
        let transaction = result.paymentID ?? result.subscriptionID ?? result.session.id
        let told = receipt(order, transaction, result.session.id)
        // A return that may be about another checkout says nothing about this one.
        guard result.isCertain else { return .pending(told) }
        switch (result.status, result.ending) {
        case (.succeeded, _): return try await succeeded(order, transaction, result.session)
        case (.failed, _), (.expired, _):
            try book.close(order)
            try? await flow.acknowledge(result.session)
            return .failure(
                result.status == .expired
                    ? .expired : .declined(message: "The payment was declined."))
        case (.cancelled, .cancelledByApp): return .failure(.cancelledByApp)
        case (.cancelled, _): return .cancelled
        case (.pending, _): return .pending(told)
        }
    }

    private func succeeded(
        _ order: String, _ transaction: String, _ session: SessionKey
    ) async throws(PaymentError) -> PaymentResult {
        // In this order: the journal lets go of it only when the book has it.
        try book.markPaid(order, by: transaction)
        try? await flow.acknowledge(session)
        return .success(receipt(order, transaction, session.id))
    }

    /// The return URL of one attempt.
    func returnURL(of entry: OrderBook.Entry) -> String {
        let base = configuration.returnURL
        return base.hasSuffix("/") ? base + entry.nonce : "\(base)/\(entry.nonce)"
    }

    func id(of session: PaymentSession) -> String? {
        if case .session(let id, _) = configuration.provider.recognise(
            checkoutURL: session.checkoutURL)
        {
            return id
        }
        return session.sessionID
    }

    private func receipt(_ order: String, _ transaction: String, _ session: String)
        -> PaymentReceipt
    {
        PaymentReceipt(transactionID: transaction, orderID: order, sessionID: session)
    }

    /// 128 random bits of the system's generator, in hexadecimal.
    nonisolated static func randomKey() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<Limits.keyBytes).map { _ in
            let byte = String(UInt8.random(in: 0...255, using: &generator), radix: 16)
            return byte.utf8.count == 1 ? "0\(byte)" : byte
        }.joined()
    }
}

extension PaymentError {
    init(_ error: CheckoutError) {
        self =
            switch error.code {
            case .invalidCheckoutURL:
                .invalidConfiguration("The server's page is not one of the provider's.")
            case .invalidReturnURL: .invalidConfiguration(error.message)
            case .alreadyInProgress: .alreadyInProgress
            case .notRecorded: .notRecorded
            default: .cannotPresent(error.message)
            }
    }
}

/// Stands before the presenters, because each payment may have a screen of its own.
@MainActor
final class PaymentStage: CheckoutPresenter {
    var next: any CheckoutPresenter
    private var current: (any CheckoutPresenter)?

    init(_ presenter: any CheckoutPresenter) { next = presenter }

    func prepare() throws(CheckoutError) {
        let next = next
        try next.prepare()
        current = next
    }

    func present(
        _ page: CheckoutPage, report: @escaping @MainActor (PresenterReport) -> Void
    ) {
        current?.present(page, report: report)
    }

    func dismiss(then gone: @escaping @MainActor () -> Void) {
        guard let current else { return gone() }
        current.dismiss(then: gone)
    }
}
