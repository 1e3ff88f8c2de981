import CommandKit
import Foundation
import TestSupport

/// What `body` writes to an output, as text.
func captured(_ terminal: Terminal, _ body: (Output) throws -> Void) throws -> String {
    try withTemporaryDirectory { directory in
        let file = directory.appendingPathComponent("output")
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        let output = Output(handle.fileDescriptor, terminal: terminal)
        try body(output)
        try output.flush()
        try handle.close()
        return String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }
}
