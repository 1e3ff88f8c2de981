public import CheckoutModel

/// The one place between what comes in and what is sealed and stored.
///
/// Masks the process's own secrets, literally, in every text and body it is given: a provider that
/// echoes a key back, or a person who pastes one into a note, must not put it into a log that
/// nobody can edit. Says whether anything was altered; never echoes what it masked.
public struct Redactor: Sendable, CustomReflectable {
    private let secrets: [[UInt8]]

    /// Shorter texts would mask ordinary words.
    static let shortestSecretBytes = 8
    static let mask = "[secret]"

    /// Masks these texts wherever they occur; ones under eight bytes are not looked for.
    public init(secrets: [String] = []) {
        self.secrets =
            secrets.map { Array($0.utf8) }
            .filter { $0.count >= Self.shortestSecretBytes }
            .sorted { $0.count > $1.count }
    }

    private init(sorted secrets: [[UInt8]]) { self.secrets = secrets }

    /// One that masks these texts too.
    public func adding(_ texts: [String]) -> Redactor {
        let all = secrets + Redactor(secrets: texts).secrets
        return Redactor(sorted: all.sorted { $0.count > $1.count })
    }

    /// False when nothing is ever masked.
    var isNeeded: Bool { !secrets.isEmpty }

    /// Shows nothing, also to debuggers and `dump`.
    public var customMirror: Mirror { Mirror(self, children: [:]) }

    /// The event as it may be stored, and whether it was altered.
    public func redact(_ event: CheckoutEvent) -> (event: CheckoutEvent, altered: Bool) {
        guard !secrets.isEmpty else { return (event, false) }
        var altered = false
        func clean(_ text: String?) -> String? {
            guard let text, let masked = masking(Array(text.utf8)) else { return text }
            altered = true
            return String(decoding: masked, as: UTF8.self)
        }
        var event = event
        event.reason = clean(event.reason)
        event.rawType = clean(event.rawType)
        event.actor = clean(event.actor)
        event.privateFields.customerName = clean(event.privateFields.customerName)
        event.privateFields.returnURL = clean(event.privateFields.returnURL)
        event.privateFields.registeredURLs = event.privateFields.registeredURLs.map {
            clean($0) ?? ""
        }
        event.privateFields.headers = event.privateFields.headers.map {
            HeaderField(name: $0.name, value: clean($0.value) ?? "")
        }
        if let body = masking(event.privateFields.body) {
            event.privateFields.body = body
            altered = true
        }
        return (event, altered)
    }

    /// The bytes with every secret masked; nil when there is none in them.
    func masking(_ bytes: [UInt8]) -> [UInt8]? {
        var result: [UInt8] = []
        var copied = 0
        var index = 0
        while index < bytes.count {
            guard let secret = secrets.first(where: { bytes[index...].starts(with: $0) }) else {
                index += 1
                continue
            }
            result += bytes[copied..<index]
            result += Array(Self.mask.utf8)
            index += secret.count
            copied = index
        }
        if copied == 0 { return nil }
        return result + bytes[copied...]
    }
}
