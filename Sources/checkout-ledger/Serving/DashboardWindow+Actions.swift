import CheckoutLedger
import CheckoutModel
import CommandKit
import Dashboard
import EventLog
import HTTPServer
import HTTPTransport
import LedgerServer
import LedgerViews
import ProviderKit
import Synchronization

extension DashboardWindow {
    func perform(_ action: DashboardAction, for request: WebRequest) async -> DashboardReply {
        let actor = "dashboard/\(request.visitor.rawValue)"
        var reply: DashboardReply
        do {
            reply =
                switch action {
                case .verify: try verify(by: actor)
                case .reconcile(nil): askAboutAll()
                case .reconcile(let name?): try await ask(about: name)
                case .resend(let position): try await resend(position, by: actor)
                }
        } catch {
            reply = DashboardReply(isDone: false, message: Self.words(error))
        }
        tell(
            ServerEvent(
                reply.isDone ? .info : .warning, "action",
                [
                    WebField("action", action.word),
                    WebField("visitor", request.visitor.rawValue),
                    WebField("done", reply.isDone ? "yes" : "no"),
                ]))
        return reply
    }

    private func verify(by actor: String) throws -> DashboardReply {
        let end = try ledger.endPosition()
        guard end > 0 else {
            return DashboardReply(isDone: false, message: "The log is empty: nothing to verify.")
        }
        guard desk.begin(by: actor) else {
            return DashboardReply(isDone: false, message: "A verification is running already.")
        }
        return DashboardReply(
            isDone: true, isUnderWay: true,
            message: "Every record is read and hashed again, "
                + "\(Wording.count(Int(clamping: end), "event")) in all.")
    }

    // MARK: - Asking providers

    private func ask(about name: String) async throws -> DashboardReply {
        let session = try ledger.session(named: name)
        guard let result = try await loop.ask(nowAbout: session) else {
            return DashboardReply(isDone: false, message: "There is nothing to ask about \(name).")
        }
        var word = ""
        if case .resolved(let outcome) = result.ending { word = "\(outcome.status.name), " }
        let hint = result.obstacle.map { " \($0.hint)" } ?? ""
        return DashboardReply(
            isDone: result.obstacle == nil,
            message: Self.sentence("\(session.name): \(word)\(result.detail)") + hint)
    }

    /// Begins to ask about every session without an outcome, and answers at once: there may be
    /// many, and some providers take long.
    private func askAboutAll() -> DashboardReply {
        let isBegun = asking.withLock { task in
            guard task == nil else { return false }
            task = Task {
                await self.loop.askAboutAll(olderThan: 0)
                self.asking.withLock { $0 = nil }
            }
            return true
        }
        return isBegun
            ? DashboardReply(
                isDone: true, isUnderWay: true,
                message: "The providers are being asked about every session without an outcome. "
                    + "What they say appears here as it comes.")
            : DashboardReply(isDone: false, message: "The providers are being asked already.")
    }

    // MARK: - Sending again

    /// Sends a stored webhook to where the program was started to; that it left is recorded before.
    private func resend(_ position: UInt64, by actor: String) async throws -> DashboardReply {
        guard let target = resendTarget else {
            return DashboardReply(
                isDone: false,
                message: "No receiver is named. Start the server with --resend-to URL.")
        }
        guard let stored = StoredDelivery(try ledger.event(at: position)) else {
            return DashboardReply(isDone: false, message: "There is no webhook at @\(position).")
        }
        guard stored.verdict != .refused else {
            return DashboardReply(
                isDone: false,
                message: "A refused webhook is not signed anew: it may be a forgery.")
        }
        guard let verifier = verifier(for: stored.scope) else {
            return DashboardReply(
                isDone: false,
                message: "No secret is set for \(stored.scope), so nothing can be signed for it.")
        }
        let url = webhookURL(of: stored.scope)
        let delivery = try PretendReceiver(verifier, stored.scope, knownBy: url)
            .resigned(stored.bytes(in: ledger), stored, at: now)
        try await ledger.record(
            .auditExported,
            AuditNote(
                subject: "webhook sent again", query: "to \(target)",
                positions: position..<(position + 1), count: 1, result: "sent"),
            actor: actor, reason: nil, at: now)
        let sent = await Context.send(delivery, to: target, over: worker)
        return DashboardReply(
            isDone: sent.isAccepted,
            message: sent.sentence(of: stored.name))
    }

    // MARK: - Words

    private static func words(_ error: any Error) -> String {
        let (message, hint): (String, String?) =
            switch error {
            case let error as LedgerError: (error.message, error.hint)
            case let error as Complaint: (error.message, error.hint)
            default: ("It failed: \(error)", nil)
            }
        return [message, hint ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// With one full stop at its end.
    private static func sentence(_ text: String) -> String {
        text.hasSuffix(".") ? text : text + "."
    }
}

extension DashboardAction {
    /// The word in the log.
    fileprivate var word: String {
        switch self {
        case .verify: "verify"
        case .reconcile: "reconcile"
        case .resend: "resend"
        }
    }
}
