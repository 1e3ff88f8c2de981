/// A piece of a tree as a static file: the hashes of 256 neighbours of one level.
///
/// Source: C2SP tlog-tiles.
public struct Tile: Sendable, Hashable {
    /// 0 for hashes of leaves, each further one stands for eight levels of the tree.
    public let level: Int
    /// Place among the tiles of its level, from 0.
    public let index: UInt64
    /// How many hashes it has, 1 to 256; fewer than 256 only at the right edge.
    public let width: Int

    /// Hashes in a full tile.
    public static let fullWidth = 256

    /// A tile by its place.
    public init(level: Int, index: UInt64, width: Int = Tile.fullWidth) {
        self.level = level
        self.index = index
        self.width = width
    }

    /// The file's path, such as `tile/0/x001/x234/067` or, when partial, `tile/0/273.p/112`.
    public var path: String { "tile/\(level)/\(place)" }

    /// The path of the records that a tile of level 0 has the hashes of.
    public var entriesPath: String { "tile/entries/\(place)" }

    private var place: String {
        var groups: [String] = []
        var rest = index
        repeat {
            let digits = "\(rest % 1000)"
            let padded = String(repeating: "0", count: 3 - digits.count) + digits
            groups.append(groups.isEmpty ? padded : "x" + padded)
            rest /= 1000
        } while rest > 0
        let name = groups.reversed().joined(separator: "/")
        return width == Self.fullWidth ? name : "\(name).p/\(width)"
    }

    /// The subtrees whose hashes it has.
    package var subtrees: [Subtree] {
        let first = index * UInt64(Self.fullWidth)
        return (0..<UInt64(width)).map { Subtree(level: 8 * level, index: first + $0) }
    }

    /// All tiles of a tree, level by level, the partial one of each level last.
    public static func all(of size: UInt64) -> [Tile] {
        var tiles: [Tile] = []
        var (level, count) = (0, size)
        while count > 0 {
            let full = count / UInt64(fullWidth)
            tiles += (0..<full).map { Tile(level: level, index: $0) }
            let rest = Int(count % UInt64(fullWidth))
            if rest > 0 { tiles.append(Tile(level: level, index: full, width: rest)) }
            level += 1
            count = full
        }
        return tiles
    }
}
