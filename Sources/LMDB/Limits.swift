/// What this module bounds, in bytes unless the name says otherwise.
enum Limits {
    /// The longest key that LMDB stores as it is built everywhere.
    static let keyBytes = 511
    /// Maps end on a multiple of this, which is one of every page size in use.
    static let mapGranularity = 65_536
    /// A map that cannot even have this much address space is not worth opening.
    static let smallestReservation = 64 << 20
    /// How often one write transaction may be run again in a map that grew.
    ///
    /// Each time the map doubles, so 32 are more than an address space holds.
    static let growthsPerWrite = 32
    /// A file system with less room than this is called full when a write was cut short.
    static let fullDiskBytes: UInt64 = 1 << 20
    /// The first bytes of a data file: page header and meta page.
    static let metaBytes = 152
}
