import CheckoutModel
import Dispatch
import EventLog
import Synchronization

/// The same numbers for the same seed, on every machine and for ever (SplitMix64).
///
/// Not the standard library's `random(in:using:)`, whose way of choosing may change.
struct DemoRandom: Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// The next 64 bits.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to but not including `bound`, which is at least 1.
    mutating func below(_ bound: Int) -> Int {
        Int(next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    /// A number between two, both included.
    mutating func between(_ low: Int, _ high: Int) -> Int { low + below(high - low + 1) }

    /// True so many times in a hundred.
    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    /// One of the elements, of which there is at least one.
    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }

    mutating func shuffle<Element>(_ elements: inout [Element]) {
        guard elements.count > 1 else { return }
        for index in stride(from: elements.count - 1, to: 0, by: -1) {
            elements.swapAt(index, below(index + 1))
        }
    }

    /// An id as providers make them: a prefix and letters and digits.
    mutating func id(_ prefix: String, _ count: Int = 20) -> String {
        let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
        return prefix + String((0..<count).map { _ in pick(alphabet) })
    }
}

/// Event ids that follow from the seed, so that the same seed makes the same events.
///
/// The log's own thread, which names the records that link streams, has a sequence of its own:
/// whether it or a task asks first is chance.
final class DemoIDs: LogIDSource {
    /// Set on the queue where the demo's tasks run.
    static let askedByTask = DispatchSpecificKey<Bool>()

    private let tasks: Mutex<DemoRandom>
    private let log: Mutex<DemoRandom>

    /// The ledger's own id, which is asked for first; nil once it was given.
    private let ledger: Mutex<UInt128?>

    /// `ledger` is the ledger's own id; without it that follows from the seed too, and two ledgers
    /// of one seed share what is kept by a ledger's id outside of it.
    init(seed: UInt64, ledger: UInt128? = nil) {
        tasks = Mutex(DemoRandom(seed: ~seed))
        log = Mutex(DemoRandom(seed: seed ^ 0x5555_5555_5555_5555))
        self.ledger = Mutex(ledger)
    }

    func next() -> UInt128 {
        let isTask = DispatchQueue.getSpecific(key: Self.askedByTask) == true
        let drawn = isTask ? Self.draw(from: tasks) : Self.draw(from: log)
        return ledger.withLock { $0.take() } ?? drawn
    }

    private static func draw(from source: borrowing Mutex<DemoRandom>) -> UInt128 {
        source.withLock { random in UInt128(random.next()) << 64 | UInt128(random.next()) }
    }
}

/// The demo's time, which stands still until it is moved: days pass in a second.
final class DemoClock: LogClock {
    private let time: Mutex<Int64>

    init(_ instant: Instant) { time = Mutex(instant.microseconds) }

    func now() -> Int64 { time.withLock { $0 } }
    func set(_ instant: Instant) { time.withLock { $0 = instant.microseconds } }
}
