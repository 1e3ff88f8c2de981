import Foundation
import LMDB
import TestSupport
import Testing

/// Two databases, one of each kind, in a map that is small on purpose.
let twoDatabases = {
    var options = EnvironmentOptions(databases: [
        DatabaseDeclaration("log", keys: .integer), DatabaseDeclaration("ids", keys: .bytes),
    ])
    options.mapBytes = 1 << 20
    return options
}()

/// A store with both databases open.
struct Store {
    let environment: Environment
    let log: Database<IntegerKeys>
    let ids: Database<ByteKeys>

    init(_ path: String, _ options: EnvironmentOptions = twoDatabases) throws {
        environment = try Environment.open(directory: path, options)
        log = try environment.integerDatabase("log")
        ids = try environment.byteDatabase("ids")
    }

    /// Keys of the log, in its order.
    func logKeys() throws -> [UInt64] {
        try environment.read { transaction in
            var keys: [UInt64] = []
            try transaction.forEach(log) { key, _ in
                keys.append(key)
                return .next
            }
            return keys
        }
    }
}

/// Runs `body` with a new store, which is closed and removed afterwards.
func withStore<R>(
    _ options: EnvironmentOptions = twoDatabases, _ body: (Store) throws -> R
) throws -> R {
    try withTemporaryDirectory { directory in
        let store = try Store(directory.path, options)
        defer { store.environment.close() }
        return try body(store)
    }
}

/// The code of the error that `body` throws; records a failure when it throws none.
func code(
    _ sourceLocation: SourceLocation = #_sourceLocation, of body: () throws -> Void
) -> LMDBError.Code? {
    let error = #expect(throws: LMDBError.self, sourceLocation: sourceLocation) { try body() }
    return error?.code
}

/// Runs closures on threads of their own and waits for all: they block, so they may not take the
/// threads of Swift tasks.
func onThreads(_ bodies: [@Sendable () -> Void]) {
    let group = DispatchGroup()
    for body in bodies {
        group.enter()
        Thread.detachNewThread {
            body()
            group.leave()
        }
    }
    group.wait()
}
