public import Cryptography

/// What a record's flag byte says.
public struct RecordFlags: OptionSet, Sendable, Hashable {
    /// The byte as stored.
    public let rawValue: UInt8

    /// From the byte as stored.
    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The clock stood before the last recorded time, which was used instead.
    public static let clockHeld = RecordFlags(rawValue: 1 << 0)
    /// The log wrote this record itself, to join two streams.
    public static let link = RecordFlags(rawValue: 1 << 1)
    /// Bits 4 to 7 are the schema's own; the log only carries them.
    public static let domainMask = RecordFlags(rawValue: 0xF0)
}

/// A record read in place from the bytes that a transaction lends; nothing is decoded or copied.
///
/// Valid as long as the bytes are lent, which the compiler checks. ``Record`` is the copy to keep.
public struct RecordView: ~Escapable {
    /// Header and payload, without the checksum.
    public let bytes: RawSpan

    /// Nil when the bytes are too short, too long for their payload length, or of another format.
    @inlinable
    @_lifetime(copy stored)
    package init?(stored: RawSpan) {
        let header = RecordField.payload
        let checksum = StorageLayout.checksumByteCount
        guard stored.byteCount >= header + checksum,
            stored.field(RecordField.format, as: UInt8.self) == StorageLayout.formatVersion,
            stored.byteCount - header - checksum
                == Int(stored.field(RecordField.payloadLength, as: UInt32.self))
        else { return nil }
        bytes = stored.extracting(droppingLast: checksum)
    }

    /// SHA-256(0x00 ‖ bytes), hashed anew: the record's leaf in the Merkle tree.
    public var leafHash: Digest {
        var sha = SHA256()
        return bytes.withUnsafeBytes { sha.hash($0, prefix: 0x00) }
    }

    /// Place in the log, from 0.
    @inlinable
    public var position: UInt64 { bytes.uncheckedField(RecordField.position) }
    /// What kind of event the schema says it is.
    @inlinable
    public var type: UInt16 { bytes.uncheckedField(RecordField.type) }
    /// See ``RecordFlags``.
    @inlinable
    public var flags: RecordFlags { RecordFlags(rawValue: bytes.uncheckedField(RecordField.flags)) }
    /// The stream's number.
    @inlinable
    public var stream: UInt64 { bytes.uncheckedField(RecordField.stream) }
    /// Place in the stream, from 0.
    @inlinable
    public var revision: UInt32 { bytes.uncheckedField(RecordField.revision) }
    /// Position of the stream's record before this one; nil for its first.
    @inlinable
    public var previous: UInt64? { optionalPosition(RecordField.previous) }
    /// Position of the record that caused this one.
    @inlinable
    public var cause: UInt64? { optionalPosition(RecordField.causation) }
    /// The event's own name.
    @inlinable
    public var eventID: EventID { EventID(value: bytes.uncheckedField(RecordField.eventID)) }
    /// When the log wrote it, µs since 1970; never less than in the record before.
    @inlinable
    public var recordedAt: Int64 { bytes.uncheckedField(RecordField.recordedAt) }
    /// When it happened by the source's clock, µs since 1970.
    @inlinable
    public var occurredAt: Int64? {
        let time: Int64 = bytes.uncheckedField(RecordField.occurredAt)
        return time == StorageLayout.noTime ? nil : time
    }
    /// See ``DedupeHash``.
    @inlinable
    public var dedupe: DedupeHash? { DedupeHash(value: bytes.uncheckedField(RecordField.dedupe)) }

    /// An integer of the domain area, by its offset there; traps beyond the area's 48 bytes.
    @inlinable
    public func domain<T: FixedWidthInteger & BitwiseCopyable>(
        _ offset: Int, as type: T.Type = T.self
    ) -> T {
        precondition(offset >= 0 && offset + MemoryLayout<T>.size <= DomainArea.byteCount)
        return bytes.uncheckedField(RecordField.domain + offset)
    }

    /// The domain area, lent like the view itself.
    @inlinable
    public var domainBytes: RawSpan {
        @_lifetime(copy self)
        get {
            bytes.extracting(RecordField.domain..<(RecordField.domain + DomainArea.byteCount))
        }
    }

    /// A copy of the domain area.
    @inlinable
    public var domain: DomainArea {
        var area = DomainArea()
        area.words = (
            bytes.uncheckedField(RecordField.domain), bytes.uncheckedField(RecordField.domain + 8),
            bytes.uncheckedField(RecordField.domain + 16),
            bytes.uncheckedField(RecordField.domain + 24),
            bytes.uncheckedField(RecordField.domain + 32),
            bytes.uncheckedField(RecordField.domain + 40)
        )
        return area
    }

    /// The payload, lent like the view itself.
    @inlinable
    public var payload: RawSpan {
        @_lifetime(copy self)
        get { bytes.extracting(droppingFirst: RecordField.payload) }
    }

    @inlinable
    func optionalPosition(_ offset: Int) -> UInt64? {
        let position: UInt64 = bytes.uncheckedField(offset)
        return position == StorageLayout.noPosition ? nil : position
    }
}
