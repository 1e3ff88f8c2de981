extension HeaderList {
    /// Every value of this name, for signatures that are sent in headers of their own.
    ///
    /// A line with commas is taken as several, because proxies join headers so; at most
    /// ``Limits/signatures``. Throws `missing_header` without any, and `malformed_header` when the
    /// list is longer than ``Limits`` allows.
    public func all(_ name: String) throws(WebhookRejection) -> [String] {
        guard fields.count <= Limits.headers else { throw .malformedHeader(name) }
        var values: [String] = []
        for field in fields where field.name.equalsIgnoringASCIICase(name) {
            guard field.value.utf8.count <= Limits.headerBytes else {
                throw .malformedHeader(name)
            }
            for part in field.value.split(separator: ",") where values.count < Limits.signatures {
                let value = part.trimmingBlanks
                if !value.isEmpty { values.append(value) }
            }
        }
        guard !values.isEmpty else { throw .missingHeader(name) }
        return values
    }
}
