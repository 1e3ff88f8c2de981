import CheckoutLedger
import CheckoutModel
import CommandKit
import Cryptography
import LedgerViews

/// What `--private` shows of an event's sealed fields.
struct PrivateText: JSONWritable {
    private let opened: PrivateFields?
    /// Classes of fields that are not to be had, with the reason; never merged with one another.
    private let lost: [PrivatePart]
    /// A delivery's whole body, put together from its pieces.
    private let body: [UInt8]?

    /// Opens an event's sealed fields; throws `ROOT_KEY_MISSING`.
    init<Store>(_ recorded: RecordedEvent, in ledger: Ledger<Store>) throws(LedgerError) {
        var fields: PrivateFields?
        var lost: [PrivatePart] = []
        for part in try ledger.privateParts(of: recorded) {
            if case .fields(let opened) = part.answer {
                fields = fields ?? PrivateFields()
                fields?.add(part.dataClass, from: opened)
            } else {
                lost.append(part)
            }
        }
        opened = fields
        self.lost = lost
        body = recorded.event.type == .deliveryPart ? nil : try ledger.body(of: recorded)
    }

    var isEmpty: Bool { opened == nil && lost.isEmpty }

    /// Name and value of each field that is there; for those that are not, a sentence a class.
    var fields: [(name: String, value: String)] {
        var found: [(String, String)] = lost.map { ($0.dataClass.name, $0.answer.loss ?? "") }
        guard let fields = opened else { return found }
        if let email = fields.customerEmail { found.append(("customerEmail", email)) }
        if let name = fields.customerName { found.append(("customerName", name)) }
        for key in fields.licenseKeys { found.append(("licenseKey", key)) }
        if let url = fields.returnURL { found.append(("returnURL", url)) }
        for url in fields.registeredURLs { found.append(("registeredURL", url)) }
        if let time = fields.expiresAt { found.append(("expiresAt", time.iso8601)) }
        for header in fields.headers {
            found.append(("header", "\(header.name): \(header.value)"))
        }
        if let body, !body.isEmpty { found.append(("body", Self.text(body))) }
        return found
    }

    func write(to writer: inout JSONWriter) {
        guard !isEmpty else {
            let none: String? = nil
            return none.write(to: &writer)
        }
        writer.object { writer in
            if !lost.isEmpty { writer.array("lost") { Self.write(lost, to: &$0) } }
            if let opened { write(opened, to: &writer) }
        }
    }

    private static func write(_ lost: [PrivatePart], to list: inout JSONWriter) {
        for part in lost {
            list.object {
                $0.field("class", part.dataClass.name)
                $0.field("why", part.answer.lossWord)
                if case .erased(let erased) = part.answer {
                    $0.field("at", erased.at.iso8601)
                    $0.field("request", Hex.encode(erased.requestID))
                    $0.field("cameLater", erased.cameLater)
                }
            }
        }
    }

    private func write(_ fields: PrivateFields, to writer: inout JSONWriter) {
        if let email = fields.customerEmail { writer.field("customerEmail", email) }
        if let name = fields.customerName { writer.field("customerName", name) }
        if !fields.licenseKeys.isEmpty { writer.field("licenseKeys", fields.licenseKeys) }
        if let url = fields.returnURL { writer.field("returnURL", url) }
        if !fields.registeredURLs.isEmpty {
            writer.field("registeredURLs", fields.registeredURLs)
        }
        if let time = fields.expiresAt { writer.field("expiresAt", time.iso8601) }
        if !fields.headers.isEmpty {
            writer.array("headers") { list in
                for header in fields.headers {
                    list.object {
                        $0.field("name", header.name)
                        $0.field("value", header.value)
                    }
                }
            }
        }
        guard let body, !body.isEmpty else { return }
        if let text = String(validating: body, as: UTF8.self) {
            writer.field("body", text)
        } else {
            writer.field("bodyHex", Hex.encode(body))
        }
    }

    private static func text(_ bytes: [UInt8]) -> String {
        String(validating: bytes, as: UTF8.self) ?? "hex " + Hex.encode(bytes)
    }
}
