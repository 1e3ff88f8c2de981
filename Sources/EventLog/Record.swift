public import Cryptography

/// A record that was copied out of the log: the same fields as ``RecordView``, and free to keep.
public struct Record: Sendable, Hashable {
    /// Header and payload, byte for byte as stored and hashed.
    public let bytes: [UInt8]

    /// Copies what a view lends.
    public init(_ view: borrowing RecordView) {
        bytes = view.bytes.copied()
    }

    /// Takes bytes that came from elsewhere; nil when they are no record of this format.
    ///
    /// Says nothing of what the fields mean.
    public init?(bytes: [UInt8]) {
        let stored = bytes + [UInt8](repeating: 0, count: StorageLayout.checksumByteCount)
        guard bytes.count <= Limits.recordBytes, RecordView(stored: stored.span.bytes) != nil
        else { return nil }
        self.bytes = bytes
    }

    /// SHA-256(0x00 ‖ bytes), hashed anew: the record's leaf in the Merkle tree.
    public var leafHash: Digest { withView { $0.leafHash } }

    /// Lends the fields; the closure's result must not hold the view.
    public func withView<R, E: Error>(_ body: (borrowing RecordView) throws(E) -> R) throws(E) -> R
    {
        let stored = bytes + [UInt8](repeating: 0, count: StorageLayout.checksumByteCount)
        guard let view = RecordView(stored: stored.span.bytes) else {
            preconditionFailure("a record is made from a view only")
        }
        return try body(view)
    }

    private func field<T: FixedWidthInteger & BitwiseCopyable>(_ offset: Int) -> T {
        bytes.span.bytes.field(offset)
    }

    private func position(_ offset: Int) -> UInt64? {
        let position: UInt64 = field(offset)
        return position == StorageLayout.noPosition ? nil : position
    }

    /// Place in the log, from 0.
    public var position: UInt64 { field(RecordField.position) }
    /// What kind of event the schema says it is.
    public var type: UInt16 { field(RecordField.type) }
    /// See ``RecordFlags``.
    public var flags: RecordFlags { RecordFlags(rawValue: field(RecordField.flags)) }
    /// The stream's number.
    public var stream: UInt64 { field(RecordField.stream) }
    /// Place in the stream, from 0.
    public var revision: UInt32 { field(RecordField.revision) }
    /// Position of the stream's record before this one; nil for its first.
    public var previous: UInt64? { position(RecordField.previous) }
    /// Position of the record that caused this one.
    public var cause: UInt64? { position(RecordField.causation) }
    /// The event's own name.
    public var eventID: EventID { EventID(value: field(RecordField.eventID)) }
    /// When the log wrote it, µs since 1970.
    public var recordedAt: Int64 { field(RecordField.recordedAt) }
    /// When it happened by the source's clock, µs since 1970.
    public var occurredAt: Int64? {
        let time: Int64 = field(RecordField.occurredAt)
        return time == StorageLayout.noTime ? nil : time
    }
    /// See ``DedupeHash``.
    public var dedupe: DedupeHash? { DedupeHash(value: field(RecordField.dedupe)) }
    /// The schema's own part of the header.
    public var domain: DomainArea { withView { $0.domain } }
    /// A copy of the payload.
    public var payload: [UInt8] { Array(bytes[RecordField.payload...]) }
}

extension Digest {
    /// From 32 lent bytes; the caller has checked the length.
    init(_ span: RawSpan) {
        let digest = span.withUnsafeBytes { Digest(bytes: $0) }
        guard let digest else { preconditionFailure("a digest has 32 bytes") }
        self = digest
    }
}
