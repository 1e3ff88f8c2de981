import CheckoutModel
import ProviderKit

/// A stored webhook with everything masked that may name a person or open something.
///
/// What is shown is what a short list names, never what looks harmless: a value is masked unless
/// its member is one of the list's. Bytes that are neither JSON nor a form are only counted.
struct MaskedDelivery: Sendable, Hashable {
    /// Name and value of each header, values of unlisted ones masked.
    var headers: [HeaderField]
    /// The body as text, masked; nil where it cannot be read as members.
    var body: String?
    var bodyBytes: Int
    /// True when only the beginning is shown.
    var isCut = false
    /// Why nothing is shown; nil when there is something.
    var refusal: String?

    /// Says why the sealed fields cannot be shown.
    init(refusal: String) {
        headers = []
        bodyBytes = 0
        self.refusal = refusal
    }

    init(headers: [HeaderField], body: [UInt8]) {
        self.headers = headers.map { field in
            let name = field.name.lowercased()
            let value = Self.plainHeaders.contains(name) ? field.value : Self.mask(field.value)
            return HeaderField(name: field.name, value: value)
        }
        bodyBytes = body.count
        guard let text = Self.masked(body) else { return }
        isCut = text.utf8.count > Limits.bodyBytesShown
        self.body =
            isCut
            ? String(decoding: text.utf8.prefix(Limits.bodyBytesShown), as: UTF8.self) : text
    }

    /// Headers whose values say nothing of a person and open nothing.
    private static let plainHeaders: Set<String> = [
        "accept", "accept-encoding", "content-encoding", "content-length", "content-type", "date",
        "host", "transfer-encoding", "user-agent", "webhook-id", "webhook-timestamp",
        "x-event-name", "x-razorpay-event-id",
    ]

    /// Members whose values are shown when they are short words or numbers.
    private static let plainMembers: Set<String> = [
        "amount", "amount_paid", "amount_total", "business_id", "checkout_session_id", "created",
        "created_at", "currency", "discount_id", "error_code", "event", "event_id", "event_type",
        "id", "livemode", "mode", "object", "payload_type", "payment_id", "payment_intent",
        "payment_status", "product_id", "quantity", "refund_id", "resource", "session_id",
        "settlement_currency", "status", "subscription_id", "tax", "timestamp", "total",
        "total_amount", "type", "updated_at",
    ]

    /// `•••` and how long the text is: enough to see that something was there.
    private static func mask(_ text: String) -> String {
        text.isEmpty ? "" : "••• \(text.utf8.count) bytes"
    }

    private static func masked(_ body: [UInt8]) -> String? {
        guard body.first == UInt8(ascii: "{") || body.first == UInt8(ascii: "[") else {
            return form(body)
        }
        guard let value = try? JSONValue(json: body) else { return nil }
        var text = ""
        write(value, named: nil, indent: 0, to: &text)
        return text
    }

    /// `a=1&b=2`: the names, and the values of listed ones.
    private static func form(_ body: [UInt8]) -> String? {
        guard let text = String(validating: body, as: UTF8.self), text.contains("="),
            !text.contains(where: { $0.isNewline || $0 == " " || $0 == "<" })
        else { return nil }
        let fields = text.split(separator: "&", omittingEmptySubsequences: false).map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count == 2 ? String(parts[1]) : ""
            let isPlain =
                plainMembers.contains(parts[0].lowercased()) && isShortWord(value)
            return "\(shownName(String(parts[0])))=\(isPlain ? value : mask(value))"
        }
        return fields.joined(separator: "\n")
    }

    private static func write(
        _ value: JSONValue, named name: String?, indent: Int, to text: inout String
    ) {
        let isPlain = name.map { plainMembers.contains($0.lowercased()) } ?? false
        switch value {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .number(let number): text += isPlain ? number.text : "•••"
        case .string(let string):
            text += "\"" + (isPlain && isShortWord(string) ? string : mask(string)) + "\""
        case .brokenString: text += "\"•••\""
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                text += index == 0 ? "\n" : ",\n"
                text += String(repeating: "  ", count: indent + 1)
                write(element, named: name, indent: indent + 1, to: &text)
            }
            text += elements.isEmpty ? "]" : "\n" + String(repeating: "  ", count: indent) + "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                text += index == 0 ? "\n" : ",\n"
                text += String(repeating: "  ", count: indent + 1)
                text += "\"\(shownName(member.name))\": "
                write(member.value, named: member.name, indent: indent + 1, to: &text)
            }
            text += members.isEmpty ? "}" : "\n" + String(repeating: "  ", count: indent) + "}"
        }
    }

    /// A member's name is a word; one that is not could itself be somebody's address.
    private static func shownName(_ name: String) -> String {
        isShortWord(name) ? name : mask(name)
    }

    /// Letters, digits and `-_.:` only, and not long: ids, types, currencies, times.
    private static func isShortWord(_ text: String) -> Bool {
        text.utf8.count <= 80
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "-_.:+".utf8.contains(byte)
                }
            }
    }
}
