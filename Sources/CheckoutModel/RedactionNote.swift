/// What was taken out of an event before it was stored: the rule, the place, and never the value.
public struct RedactionNote: Sendable, Hashable {
    /// The rule's stable name, such as `R1`.
    public var rule: String
    /// Which kind, such as `pan:visa` or `field:cvv`.
    public var what: String
    /// The field, with names inside a body joined by dots.
    public var field: String
    /// `mask`, `drop`, `seal` or `refuse`.
    public var action: String
    /// How often, at least 1.
    public var count: UInt32
    /// How long the value was, in bytes, as a range of powers of two.
    public var lengthClass: String

    /// Counts once unless told otherwise.
    public init(
        rule: String, what: String, field: String, action: String, lengthClass: String,
        count: UInt32 = 1
    ) {
        self.rule = rule
        self.what = what
        self.field = field
        self.action = action
        self.lengthClass = lengthClass
        self.count = count
    }
}

extension RedactionNote {
    func write(to writer: inout ProtobufWriter) {
        writer.string(1, rule)
        writer.string(2, what)
        writer.string(3, field)
        writer.string(4, action)
        writer.integer(5, UInt64(count))
        writer.string(6, lengthClass)
    }

    init(decoding bytes: UnsafeRawBufferPointer) throws(PayloadError) {
        self.init(rule: "", what: "", field: "", action: "", lengthClass: "")
        var reader = ProtobufReader(bytes)
        while let field = try reader.next() {
            switch (field.number, field.value) {
            case (1, .bytes(let text)): rule = try String(utf8: text)
            case (2, .bytes(let text)): what = try String(utf8: text)
            case (3, .bytes(let text)): self.field = try String(utf8: text)
            case (4, .bytes(let text)): action = try String(utf8: text)
            case (5, .integer(let value)): count = UInt32(truncatingIfNeeded: value)
            case (6, .bytes(let text)): lengthClass = try String(utf8: text)
            default: break
            }
        }
    }
}
