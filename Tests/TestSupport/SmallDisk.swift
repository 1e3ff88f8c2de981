public import Foundation

/// A small file system in memory, mounted for one test.
public struct SmallDisk {
    private let directory: URL

    /// Nil when this process may not mount.
    public init?(at directory: URL, bytes: Int) {
        self.directory = directory
        guard Self.run("/bin/mount", "-t", "tmpfs", "-o", "size=\(bytes)", "tmpfs", directory.path)
        else { return nil }
    }

    /// Takes it away with everything in it.
    public func unmount() { _ = Self.run("/bin/umount", directory.path) }

    /// Whether there can be one.
    public static var canMount: Bool {
        let made: Bool? = try? withTemporaryDirectory { directory in
            let disk = SmallDisk(at: directory, bytes: 1 << 16)
            disk?.unmount()
            return disk != nil
        }
        return made ?? false
    }

    private static func run(_ program: String, _ arguments: String...) -> Bool {
        (try? ChildProgram.run(program, arguments)) == .exit(0)
    }
}
