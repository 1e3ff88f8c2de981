import CLMDB

/// The liblmdb that is loaded into this process.
public enum LMDBLibrary {
    /// Major, minor and patch number.
    public struct Version: Sendable, Hashable, Comparable, CustomStringConvertible {
        /// Always 0 until now.
        public let major: Int
        /// 9 for the released line.
        public let minor: Int
        /// The release.
        public let patch: Int

        /// Takes the three numbers.
        public init(_ major: Int, _ minor: Int, _ patch: Int) {
            self.major = major
            self.minor = minor
            self.patch = patch
        }

        /// As in `0.9.24`.
        public var description: String { "\(major).\(minor).\(patch)" }

        /// Older before newer.
        public static func < (left: Self, right: Self) -> Bool {
            (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
        }

        /// True from 0.9.26 to 0.9.31, where closing a store in one process destroys the locks
        /// that other processes use.
        ///
        /// A store is then for one process at a time. Source: LMDB ITS#9278, undone by ITS#10095.
        public var breaksSharedLocks: Bool {
            Version(0, 9, 26) <= self && self <= Version(0, 9, 31)
        }
    }

    /// The version that is loaded, which may be another than the one built against.
    public static let version: Version = {
        var major: Int32 = 0
        var minor: Int32 = 0
        var patch: Int32 = 0
        _ = mdb_version(&major, &minor, &patch)
        return Version(Int(major), Int(minor), Int(patch))
    }()
}
