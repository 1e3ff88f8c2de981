import CheckoutFlow
import CheckoutModel
import ProviderKit

/// The orders of this device with their keys, in one small file that is replaced as a whole.
///
/// `{"format":1,"orders":[{"order","amount","currency","key","nonce",…}]}`, with `page`, `session`,
/// `expiresAt` and `paid` once they are known. A key is durable before anything is sent with it, so
/// that no kill makes a second session.
struct OrderBook: Sendable {
    private static let format: Int64 = 1
    private let file: AtomicFile
    private let makeKey: @Sendable () -> String
    private let limit: Int

    /// An order, as it is kept.
    struct Entry: Sendable, Hashable {
        let orderID: String
        let money: Money
        let key: IdempotencyKey
        /// What only this attempt's return URL ends in.
        let nonce: String
        var session: PaymentSession?
        /// The payment's id, once the return has said that it was made.
        var paid: String?
    }

    init(
        folder: String, limit: Int = Limits.orders, makeKey: @escaping @Sendable () -> String
    ) {
        self.limit = limit
        file = AtomicFile(path: "\(folder)/orders.json")
        self.makeKey = makeKey
    }

    /// The order's entry; a new key is made and stored when there is none.
    ///
    /// Throws `orderChanged`, `notRecorded`.
    func open(_ orderID: String, _ money: Money) throws(PaymentError) -> Entry {
        let found = try change { entries -> Result<Entry, PaymentError> in
            if let entry = entries.first(where: { $0.orderID == orderID }) {
                return entry.money == money ? .success(entry) : .failure(.orderChanged)
            }
            guard let key = IdempotencyKey(rawValue: makeKey()) else {
                return .failure(.notRecorded)
            }
            let entry = Entry(orderID: orderID, money: money, key: key, nonce: makeKey())
            entries.append(entry)
            return .success(entry)
        }
        return try found.get()
    }

    /// Keeps the session that the server made for an attempt, which may be over by now.
    func keep(_ session: PaymentSession, for key: IdempotencyKey) throws(PaymentError) {
        try change { entries in
            guard let index = entries.firstIndex(where: { $0.key == key }) else { return }
            entries[index].session = session
        }
    }

    /// The orders that were not paid, as far as is known, the oldest first.
    func unpaid() throws(PaymentError) -> [Entry] {
        try change { entries in entries.filter { $0.paid == nil } }
    }

    /// Keeps that the order was paid, so that it is not paid again.
    func markPaid(_ orderID: String, by transaction: String) throws(PaymentError) {
        try change { entries in
            guard let index = entries.firstIndex(where: { $0.orderID == orderID }) else { return }
            entries[index].paid = transaction
        }
    }

    /// Forgets a session that cannot be opened; the key stays.
    func drop(sessionOf orderID: String) throws(PaymentError) {
        try change { entries in
            guard let index = entries.firstIndex(where: { $0.orderID == orderID }) else { return }
            entries[index].session = nil
        }
    }

    /// Ends an attempt that cannot be paid any more: the next one has a key of its own.
    func close(_ orderID: String) throws(PaymentError) {
        try change { entries in entries.removeAll { $0.orderID == orderID } }
    }

    private func change<Answer>(
        _ body: (inout [Entry]) -> Answer
    ) throws(PaymentError) -> Answer {
        do throws(AtomicFile.Failure) {
            return try file.locked { () throws(AtomicFile.Failure) in
                var entries = try load()
                let before = entries
                let answer = body(&entries)
                while entries.count > limit {
                    entries.remove(at: entries.firstIndex { $0.paid != nil } ?? 0)
                }
                if entries != before { try file.replace(with: Self.json(entries)) }
                return answer
            }
        } catch {
            throw .notRecorded
        }
    }

    /// A file that cannot be read stops payments: without the keys a second try could pay twice.
    private func load() throws(AtomicFile.Failure) -> [Entry] {
        let content: [UInt8]
        do throws(AtomicFile.Failure) {
            content = try file.read()
        } catch {
            if error.isMissing { return [] }
            throw error
        }
        guard let value = try? JSONValue(json: content, limit: content.count),
            value["format"]?.integer == Self.format, let orders = value["orders"]?.elements
        else { throw AtomicFile.Failure(reason: "the file is not one of orders") }
        let entries = orders.map(Self.entry)
        guard entries.allSatisfy({ $0 != nil }) else {
            throw AtomicFile.Failure(reason: "the file has an order that cannot be read")
        }
        return entries.compactMap { $0 }
    }

    private static func entry(_ value: JSONValue) -> Entry? {
        guard let orderID = value["order"]?.text, let units = value["amount"]?.integer,
            let currency = value["currency"]?.text.flatMap({ Currency($0) }),
            let key = value["key"]?.text.flatMap({ IdempotencyKey(rawValue: $0) }),
            let nonce = value["nonce"]?.text
        else { return nil }
        let session = value["page"]?.text.map { page in
            PaymentSession(
                checkoutURL: page, sessionID: value["session"]?.text,
                expiresAt: value["expiresAt"]?.integer.map { Instant(microseconds: $0) })
        }
        return Entry(
            orderID: orderID, money: Money(minorUnits: units, currency: currency), key: key,
            nonce: nonce,
            session: session, paid: value["paid"]?.text)
    }

    private static func json(_ entries: [Entry]) -> [UInt8] {
        let orders = entries.map { entry in
            JSONValue.object([
                "order": .string(entry.orderID), "amount": .integer(entry.money.minorUnits),
                "currency": .string(entry.money.currency.code),
                "key": .string(entry.key.rawValue), "nonce": .string(entry.nonce),
                "page": entry.session.map { .string($0.checkoutURL) },
                "session": entry.session?.sessionID.map { .string($0) },
                "expiresAt": entry.session?.expiresAt.map { .integer($0.microseconds) },
                "paid": entry.paid.map { .string($0) },
            ])
        }
        return JSONValue.object(["format": .integer(format), "orders": .array(orders)]).json
    }
}
