import DesktopCheckout
import Foundation
import Testing

@Suite("What a channel takes from the system", .serialized)
struct LeakTests {
    private func openFiles() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    @Test(
        "Channels give back every file they open",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd"), "needs /proc"))
    func files() throws {
        let before = try openFiles()
        for _ in 0..<700 {
            let listener = try LoopbackListener()
            #expect(try PlainURL(listener.returnURL).send()?.status == 200)
            listener.close()
            listener.close()
        }
        // Tests beside this one open and close files of their own, some of them hundreds.
        #expect(try openFiles() < before + 600)
    }
}
