import CheckoutLedger
import CheckoutModel
import CommandKit
import Cryptography
import LedgerViews

/// What `--private` shows of an event's sealed fields.
struct PrivateText: JSONWritable {
    let answer: PrivateFieldsAnswer
    /// A delivery's whole body, put together from its pieces.
    let body: [UInt8]?

    /// Opens an event's sealed fields; throws `ROOT_KEY_MISSING`.
    init<Store>(_ recorded: RecordedEvent, in ledger: Ledger<Store>) throws(LedgerError) {
        answer = try ledger.privateFields(of: recorded)
        body = recorded.event.type == .deliveryPart ? nil : try ledger.body(of: recorded)
    }

    var isEmpty: Bool { answer == .none }

    /// Name and value of each field that is there; for a lost or damaged seal, a sentence.
    var fields: [(name: String, value: String)] {
        switch answer {
        case .none: return []
        case .keyMissing: return [("sealed", "the key is not here: destroyed, or kept elsewhere")]
        case .tampered: return [("sealed", "the bytes are not what was sealed")]
        case .fields(let fields):
            var found: [(String, String)] = []
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
    }

    func write(to writer: inout JSONWriter) {
        guard case .fields(let fields) = answer else {
            let word: String? =
                switch answer {
                case .keyMissing: "key_missing"
                case .tampered: "tampered"
                case .none, .fields: nil
                }
            word.write(to: &writer)
            return
        }
        writer.object {
            if let email = fields.customerEmail { $0.field("customerEmail", email) }
            if let name = fields.customerName { $0.field("customerName", name) }
            if !fields.licenseKeys.isEmpty { $0.field("licenseKeys", fields.licenseKeys) }
            if let url = fields.returnURL { $0.field("returnURL", url) }
            if !fields.registeredURLs.isEmpty {
                $0.field("registeredURLs", fields.registeredURLs)
            }
            if let time = fields.expiresAt { $0.field("expiresAt", time.iso8601) }
            if !fields.headers.isEmpty {
                $0.array("headers") { list in
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
                $0.field("body", text)
            } else {
                $0.field("bodyHex", Hex.encode(body))
            }
        }
    }

    private static func text(_ bytes: [UInt8]) -> String {
        String(validating: bytes, as: UTF8.self) ?? "hex " + Hex.encode(bytes)
    }
}
