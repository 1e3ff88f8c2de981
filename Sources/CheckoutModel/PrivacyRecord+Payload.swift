// Messages `PrivacyRecord` and `DiscardedFields` of `checkout_event.proto`.

extension PrivacyRecord {
    func write(to writer: inout ProtobufWriter) {
        writer.data(1, requestID)
        writer.data(2, subject)
        writer.string(3, target)
        writer.integer(4, UInt64(classes.rawValue))
        writer.string(5, ground)
        writer.integer(6, Self.wire(olderThan))
        for key in keys {
            writer.message(7) {
                $0.data(1, key.id)
                $0.data(2, key.commitment)
                $0.integer(3, UInt64(key.dataClass.rawValue))
            }
        }
        writer.integer(8, keyCount)
        writer.integer(9, eventCount)
        writer.integer(10, firstPosition.map { $0 + 1 } ?? 0)
        writer.integer(11, lastPosition.map { $0 + 1 } ?? 0)
        writer.integer(12, UInt64(level?.rawValue ?? 0))
        writer.string(13, oldRoot)
        writer.string(14, newRoot)
        writer.string(15, rootSource)
        writer.integer(16, isOverwritten ? 1 : 0)
        writer.integer(17, generation)
        for copy in copies {
            writer.message(18) {
                $0.string(1, copy.name)
                $0.integer(2, Self.wire(copy.expiresAt))
            }
        }
        writer.string(19, tool)
        writer.integer(20, heldPosition.map { $0 + 1 } ?? 0)
        for root in retiredRoots { writer.string(21, root) }
    }

    /// The message alone, as the keystore keeps it of requests that are under way.
    package func encoded() -> [UInt8] {
        var writer = ProtobufWriter()
        write(to: &writer)
        return writer.bytes
    }

    /// Reads the message back.
    package init(decoding bytes: [UInt8]) throws(PayloadError) {
        self = try bytes.withUnsafeBufferPointer { (buffer) throws(PayloadError) in
            try PrivacyRecord(decoding: UnsafeRawBufferPointer(buffer))
        }
    }

    init(decoding bytes: UnsafeRawBufferPointer) throws(PayloadError) {
        self.init()
        var reader = ProtobufReader(bytes)
        while let field = try reader.next() {
            switch field.value {
            case .bytes(let value): try take(field.number, value)
            case .integer(let value): take(field.number, value)
            case .fixed32, .fixed64: continue
            }
        }
    }

    private mutating func take(
        _ number: UInt32, _ value: UnsafeRawBufferPointer
    ) throws(PayloadError) {
        switch number {
        case 1: requestID = Array(value)
        case 2: subject = Array(value)
        case 3: target = try String(utf8: value)
        case 5: ground = try String(utf8: value)
        case 7: keys.append(try ErasedKey(decoding: value))
        case 13: oldRoot = try String(utf8: value)
        case 14: newRoot = try String(utf8: value)
        case 15: rootSource = try String(utf8: value)
        case 18: copies.append(try PendingCopy(decoding: value))
        case 19: tool = try String(utf8: value)
        case 21: retiredRoots.append(try String(utf8: value))
        default: break
        }
    }

    private mutating func take(_ number: UInt32, _ value: UInt64) {
        switch number {
        case 4: classes = PrivateClasses(rawValue: UInt8(truncatingIfNeeded: value))
        case 6: olderThan = Instant(microseconds: Int64(bitPattern: value))
        case 8: keyCount = value
        case 9: eventCount = value
        case 10: firstPosition = value == 0 ? nil : value - 1
        case 11: lastPosition = value == 0 ? nil : value - 1
        case 12: level = ErasureLevel(rawValue: UInt8(truncatingIfNeeded: value))
        case 16: isOverwritten = value != 0
        case 17: generation = value
        case 20: heldPosition = value == 0 ? nil : value - 1
        default: break
        }
    }

    fileprivate static func wire(_ time: Instant?) -> UInt64 {
        time.map { UInt64(bitPattern: $0.microseconds) } ?? 0
    }
}

extension ErasedKey {
    fileprivate init(decoding bytes: UnsafeRawBufferPointer) throws(PayloadError) {
        self.init(id: [], commitment: [], dataClass: .contact)
        var reader = ProtobufReader(bytes)
        while let field = try reader.next() {
            switch (field.number, field.value) {
            case (1, .bytes(let value)): id = Array(value)
            case (2, .bytes(let value)): commitment = Array(value)
            case (3, .integer(let value)):
                dataClass = PrivateClass(rawValue: UInt8(truncatingIfNeeded: value)) ?? .contact
            default: break
            }
        }
    }
}

extension PendingCopy {
    fileprivate init(decoding bytes: UnsafeRawBufferPointer) throws(PayloadError) {
        self.init(name: "")
        var reader = ProtobufReader(bytes)
        while let field = try reader.next() {
            switch (field.number, field.value) {
            case (1, .bytes(let value)): name = try String(utf8: value)
            case (2, .integer(let value)):
                expiresAt = Instant(microseconds: Int64(bitPattern: value))
            default: break
            }
        }
    }
}

extension DiscardedFields {
    func write(to writer: inout ProtobufWriter) {
        writer.integer(1, UInt64(classes.rawValue))
        writer.data(2, requestID)
        writer.integer(3, UInt64(bitPattern: erasedAt.microseconds))
    }

    init(decoding bytes: UnsafeRawBufferPointer) throws(PayloadError) {
        self.init(classes: [], requestID: [], erasedAt: Instant(microseconds: 0))
        var reader = ProtobufReader(bytes)
        while let field = try reader.next() {
            switch (field.number, field.value) {
            case (1, .integer(let value)):
                classes = PrivateClasses(rawValue: UInt8(truncatingIfNeeded: value))
            case (2, .bytes(let value)): requestID = Array(value)
            case (3, .integer(let value)):
                erasedAt = Instant(microseconds: Int64(bitPattern: value))
            default: break
            }
        }
    }
}
