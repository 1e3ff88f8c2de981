import Foundation

/// The files of this checkout, without what builds leave behind.
struct Repository {
    struct File {
        /// From the top of the repository.
        let path: String
        let bytes: Int
    }

    let root: URL
    let files: [File]
    private let sources: [SwiftSource]

    static let shared = Result { try Repository() }

    private init() throws {
        root =
            URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().standardizedFileURL
        let ignored: Set<String> = [
            ".build", ".git", ".swiftpm", ".demo", "DerivedData", ".checkout-ledger",
        ]
        var files: [File] = []
        var folders = [""]
        while let folder = folders.popLast() {
            let place = folder.isEmpty ? root : root.appendingPathComponent(folder)
            for name in try FileManager.default.contentsOfDirectory(atPath: place.path) {
                if ignored.contains(name) || name.hasSuffix(".xcodeproj") { continue }
                let path = folder.isEmpty ? name : "\(folder)/\(name)"
                let attributes = try FileManager.default.attributesOfItem(
                    atPath: root.appendingPathComponent(path).path)
                switch attributes[.type] as? FileAttributeType {
                case .typeDirectory: folders.append(path)
                case .typeRegular:
                    files.append(File(path: path, bytes: attributes[.size] as? Int ?? 0))
                default: break
                }
            }
        }
        self.files = files.sorted { $0.path < $1.path }
        let root = root
        sources = try self.files.filter { $0.path.hasSuffix(".swift") }.map { file in
            let bytes = try Data(contentsOf: root.appendingPathComponent(file.path))
            return SwiftSource(path: file.path, text: String(decoding: bytes, as: UTF8.self))
        }
    }

    /// The Swift files below the given folders; the manifests when `folders` names them.
    func swiftSources(_ folders: String...) -> [SwiftSource] {
        sources.filter { source in folders.contains { source.path.hasPrefix($0) } }
    }

    func text(_ path: String) throws -> String {
        String(
            decoding: try Data(contentsOf: root.appendingPathComponent(path)), as: UTF8.self)
    }

    func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path)
    }
}
