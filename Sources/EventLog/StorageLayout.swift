/// Every key and value of a ledger, byte by byte; no other file states a layout.
///
/// All integers in values are little-endian. Number keys are 8 bytes in the order of the numbers
/// (LMDB's native integer keys); byte keys compare byte by byte.
///
/// | table      | key                                        | value                      |
/// |------------|--------------------------------------------|----------------------------|
/// | `log`      | position                                   | `RecordField` ‖ checksum   |
/// | `ids`      | `IdentityKey`                              | stream number u64, or none |
/// | `fresh`    | position of a record of its commit         | new rows of `ids`          |
/// | `streamsA`, `streamsB`   | stream number                | `StreamField` ‖ state      |
/// | `openA`, `openB`         | stream number                | opened-at µs i64           |
/// | `outcomesA`, `outcomesB` | position of the evidence     | the schema's row           |
/// | `tree`     | `TreeKey`                                  | one node hash              |
/// | `blocks`   | position / 1,024                           | `BlockField` ‖ summary     |
/// | `seals`    | tree size                                  | the signed note, as sent   |
/// | `meta`     | `MetaKey`, ASCII                           | see there                  |
/// | `user`     | `UserKey`                                  | a projection's own row     |
///
/// Of each A/B pair one set is live (`MetaKey.projections` says which); the other is empty or being
/// rebuilt.
public enum StorageLayout {
    /// The layout described here; a ledger of a greater one is refused.
    public static let formatVersion: UInt8 = 1
    /// How many bytes stand before a record's payload.
    public static let recordHeaderByteCount = RecordField.payload
    /// How many bytes of the leaf hash stand behind each record, to tell which one was damaged.
    ///
    /// Whether it is the record that was written only the tree can say, whose leaves are hashed
    /// again whenever they are asked for: all of the hash would say no more, at 24 bytes an event.
    public static let checksumByteCount = 8
    /// A block's number is a position shifted right by this: blocks hold 1,024 events.
    static let blockShift: UInt64 = 10
    /// Stands for "none" where a position is optional.
    @usableFromInline static let noPosition = UInt64.max
    /// Stands for "absent" where a time is optional.
    @usableFromInline static let noTime = Int64.min
}

/// Where the fields of a record stand.
///
/// | offset | width | field                                                              |
/// |-------:|------:|--------------------------------------------------------------------|
/// |      0 |     1 | format version                                                     |
/// |      1 |     1 | flags, see `RecordFlags`                                           |
/// |      2 |     2 | type code                                                          |
/// |      4 |     4 | payload length in bytes                                            |
/// |      8 |     8 | position in the log, from 0                                        |
/// |     16 |     8 | stream number, from 0                                              |
/// |     24 |     4 | revision in the stream, from 0                                     |
/// |     28 |     4 | reserved, 0                                                        |
/// |     32 |     8 | position of the stream's previous record, all ones = none          |
/// |     40 |     8 | position of the record that caused this one, all ones = none       |
/// |     48 |    16 | event id                                                           |
/// |     64 |     8 | recorded at, µs since 1970, never less than the record before      |
/// |     72 |     8 | occurred at, µs since 1970 by the source's clock, `Int64.min` = no |
/// |     80 |    16 | dedupe hash, all zero = none                                       |
/// |     96 |    48 | the domain's own area                                              |
/// |    144 |     … | payload                                                            |
/// |  +length |   8 | the first bytes of SHA-256(0x00 ‖ everything before), the leaf hash of the |
/// |          |       | Merkle tree; not part of the record                                |
@usableFromInline enum RecordField {
    @usableFromInline static let format = 0
    @usableFromInline static let flags = 1
    @usableFromInline static let type = 2
    @usableFromInline static let payloadLength = 4
    @usableFromInline static let position = 8
    @usableFromInline static let stream = 16
    @usableFromInline static let revision = 24
    @usableFromInline static let reserved = 28
    @usableFromInline static let previous = 32
    @usableFromInline static let causation = 40
    @usableFromInline static let eventID = 48
    @usableFromInline static let recordedAt = 64
    @usableFromInline static let occurredAt = 72
    @usableFromInline static let dedupe = 80
    @usableFromInline static let domain = 96
    @usableFromInline static let payload = 144
}

/// Keys of `ids`.
///
/// | form                                         | leads to                                |
/// |----------------------------------------------|-----------------------------------------|
/// | 0x00 ‖ key                                   | the one stream that the key routes to   |
/// | 0x01 ‖ key length u16be ‖ key ‖ stream u64be | one of the streams that share the key;  |
/// |                                              | the value is empty                      |
///
/// New ones stand in `fresh` first: for each of a chunk its length u16, counted from the next
/// byte on without the stream ‖ 0x00 or 0x01 as above ‖ key ‖ stream u64.
///
/// The length stands before a shared key so that no other key's rows lie between its own.
@usableFromInline
enum IdentityKey {
    static let route: UInt8 = 0x00
    static let share: UInt8 = 0x01
    static let sharedOverhead = 1 + 2 + 8
}

/// Values of `streamsA` and `streamsB`, before the schema's encoded state.
///
/// | offset | width | field                               |
/// |-------:|------:|-------------------------------------|
/// |      0 |     8 | position of the stream's last record |
/// |      8 |     4 | how many records the stream has     |
enum StreamField {
    static let last = 0
    static let count = 8
    static let state = 12
}

/// Keys of `tree`.
///
/// | key                           | value                                             |
/// |-------------------------------|---------------------------------------------------|
/// | 0x01 ‖ level u8 ‖ index u64be | hash of the full subtree of 2^level leaves; every 8th level |
@usableFromInline
enum TreeKey {
    static let node: UInt8 = 0x01
    /// Every eighth level is stored: one hash per 256 of the level below.
    static let storedLevelStep = 8
}

/// Values of `blocks`: these fields, the schema's encoded summary, and in the last row the Merkle
/// frontier of the whole log: size u64be ‖ hashes, the largest subtree's first.
///
/// Both change with every commit: in one row they cost one page of it.
///
/// | offset | width | field                                                          |
/// |-------:|------:|----------------------------------------------------------------|
/// |      0 |     4 | how many records the block has so far                          |
/// |      4 |     4 | bytes of the frontier at the end; 0 in all rows but the last   |
/// |      8 |     8 | how many streams the log has at the block's end                |
/// |     16 |   8+8 | least and greatest recorded-at µs                              |
/// |     32 |   8+8 | least and greatest occurred-at µs; least > greatest = none     |
/// |     48 |    64 | types: bit (type mod 512) is set for each type in the block    |
enum BlockField {
    static let count = 0
    static let frontier = 4
    static let streams = 8
    static let recordedMin = 16
    static let recordedMax = 24
    static let occurredMin = 32
    static let occurredMax = 40
    static let types = 48
    static let summary = 112
}

/// Keys of `meta`.
///
/// | key           | value                                                                   |
/// |---------------|-------------------------------------------------------------------------|
/// | `format`      | ASCII `event-log` ‖ version u8                                          |
/// | `ledger`      | 16 random bytes ‖ created-at µs i64 ‖ epoch u32                         |
/// | `projections` | live set u8 (0 = A, 1 = B) ‖ 3 zero bytes ‖ fold version u32 ‖ watermark u64 |
/// | `rebuild`     | owner u64 ‖ fold version u32 ‖ 4 zero bytes ‖ position u64; only during one |
enum MetaKey {
    static let format: [UInt8] = Array("format".utf8)
    static let ledger: [UInt8] = Array("ledger".utf8)
    static let projections: [UInt8] = Array("projections".utf8)
    static let rebuild: [UInt8] = Array("rebuild".utf8)
    static let formatMark: [UInt8] = Array("event-log".utf8)
    static let ledgerByteCount = 28
    static let watermarkByteCount = 16
    static let rebuildByteCount = 24
}

/// Keys of `user`.
///
/// | key                              | value                                       |
/// |----------------------------------|---------------------------------------------|
/// | 0x00 ‖ name length u8 ‖ name     | version u32 ‖ next position to read u64     |
/// | 0x01 ‖ name length u8 ‖ name ‖ k | the projection's row under its own key k    |
enum UserKey {
    static let checkpoint: UInt8 = 0x00
    static let row: UInt8 = 0x01
    static let checkpointByteCount = 12
}
