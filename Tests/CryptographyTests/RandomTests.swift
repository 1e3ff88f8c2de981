import Cryptography
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite("Random bytes")
struct RandomTests {
    @Test("never repeat, however many small values are drawn from what was drawn ahead")
    func noRepetition() {
        var seen: Set<[UInt8]> = []
        for _ in 0..<5_000 { seen.insert(SecureRandom.bytes(16)) }
        #expect(seen.count == 5_000)
    }

    @Test(
        "fill all of a buffer and nothing beyond it",
        arguments: [1, 2, 7, 8, 12, 16, 32, 63, 64, 65, 4_095, 4_096, 4_097, 10_000])
    func extent(_ count: Int) {
        // A byte stays zero by chance in one of 256 draws: in sixteen draws never.
        var touched = [Bool](repeating: false, count: count + 2)
        for _ in 0..<16 {
            var bytes = [UInt8](repeating: 0, count: count + 2)
            bytes.withUnsafeMutableBytes {
                SecureRandom.fill(UnsafeMutableRawBufferPointer(rebasing: $0[1...count]))
            }
            for index in bytes.indices where bytes[index] != 0 { touched[index] = true }
        }
        #expect(!touched[0] && !touched[count + 1])
        #expect(touched[1...count].allSatisfy { $0 })
    }

    @Test("are others in a child of fork than in its parent")
    func afterFork() async {
        await #expect(processExitsWith: .success) {
            // What is drawn here leaves a rest that both would give.
            _ = SecureRandom.bytes(16)
            var ends: [Int32] = [0, 0]
            precondition(pipe(&ends) == 0)
            // Swift hides fork; other code in a process may still call it.
            typealias Fork = @convention(c) () -> pid_t
            let symbol = try #require(dlsym(nil, "fork"))
            let child = unsafeBitCast(symbol, to: Fork.self)()
            let drawn = SecureRandom.bytes(16)
            if child == 0 { _exit(write(ends[1], drawn, 16) == 16 ? 0 : 1) }
            var childs = [UInt8](repeating: 0, count: 16)
            #expect(read(ends[0], &childs, 16) == 16)
            var status: Int32 = 0
            waitpid(child, &status, 0)
            #expect(status == 0)
            #expect(childs != drawn)
            #expect(childs != [UInt8](repeating: 0, count: 16))
        }
    }
}
