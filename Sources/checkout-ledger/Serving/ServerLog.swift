import CheckoutLedger
import CheckoutModel
import CommandKit
import HTTPServer
import LedgerServer
import LedgerViews

/// Writes what happens in the server, one line each, to standard error.
struct ServerLog: Sendable {
    let output: Output
    let format: LedgerConfiguration.Server.LogFormat
    /// True where lines about requests that went well are left out.
    let isQuiet: Bool
    let now: @Sendable () -> Instant

    func tell(_ event: ServerEvent) {
        if isQuiet, event.level == .info { return }
        let line = format == .json ? json(event) : text(event)
        try? output.write(line)
        try? output.flush()
    }

    private func json(_ event: ServerEvent) -> [UInt8] {
        var writer = JSONWriter()
        writer.object {
            $0.field("time", now().iso8601)
            $0.field("level", event.level.rawValue)
            $0.field("message", event.message)
            for field in event.fields {
                if let number = Int(field.value) {
                    $0.field(field.name, number)
                } else {
                    $0.field(field.name, field.value)
                }
            }
        }
        return writer.line()
    }

    private func text(_ event: ServerEvent) -> [UInt8] {
        let level = event.level == .info ? "" : "\(event.level.rawValue) "
        let fields = event.fields.map { " \($0.name)=\(SafeText.visible($0.value))" }
        return Array("\(now().iso8601) \(level)\(event.message)\(fields.joined())\n".utf8)
    }
}
