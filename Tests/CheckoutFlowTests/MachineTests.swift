import CheckoutModel
import Testing

@testable import CheckoutFlow

/// A machine with everything that its actions do to the world around it.
private struct World: Hashable {
    var machine = CheckoutMachine()
    var session: JournaledSession?
    /// True once the start was written, whatever was written later.
    var wasStarted = false
    var presented = 0
    var events: [FlowEvent.Kind] = []
    var finishes: [CheckoutMachine.Finish] = []
    var firstReturn: ReturnedCheckout?
    var isProvablyUnseen = false

    static let key = SessionKey("dodo", "cks_A")

    mutating func feed(_ input: CheckoutMachine.Input) {
        if input == .recorded, session == nil, finishes.isEmpty { start() }
        let takes = machine.takesReturn
        let actions = machine.handle(input)
        if case .returned(let claim) = input, takes, firstReturn == nil { firstReturn = claim }
        #expect(finishes.isEmpty || actions.isEmpty, "after the end nothing happens: \(input)")
        for action in actions { apply(action) }
    }

    private mutating func start() {
        wasStarted = true
        session = JournaledSession(
            JournalEntry(
                Self.key, at: Instant(seconds: 1),
                .started(StartedCheckout(mode: .test, returnURLs: ["app://return"]))))
    }

    private mutating func apply(_ action: CheckoutMachine.Action) {
        switch action {
        case .record(let fact):
            #expect(session != nil, "nothing is noted of a session that has not started")
            session?.apply(fact)
            if case .failedToOpen = fact { isProvablyUnseen = true }
        case .present:
            presented += 1
            #expect(session != nil, "nothing is shown before it is noted")
        case .dismiss: break
        case .emit(let kind): events.append(kind)
        case .finish(let finish): finishes.append(finish)
        }
    }
}

@Suite("The course of a checkout")
struct MachineTests {
    private static let error = CheckoutError(.platform, "No.")
    private static let inputs: [CheckoutMachine.Input] = [
        .recorded, .notRecorded(error), .shown, .failedToLoad, .notShown(error, mayAppear: false),
        .notShown(error, mayAppear: true),
        .returned(ReturnedCheckout(status: .succeeded, payment: "pay_1")),
        .returned(ReturnedCheckout(status: .pending)), .dismissed, .cancelled, .timedOut, .gone,
    ]

    /// Every state that any order of events leads to, of any length.
    private static let worlds: Set<World> = {
        var seen: Set<World> = [World()]
        var front = [World()]
        while let world = front.popLast() {
            for input in inputs {
                var next = world
                next.feed(input)
                if seen.insert(next).inserted { front.append(next) }
            }
        }
        return seen
    }()

    @Test("Whatever happens in whatever order, a checkout resolves at most once")
    func once() {
        #expect(Self.worlds.count > 20)
        for world in Self.worlds { #expect(world.finishes.count <= 1) }
    }

    @Test("From wherever it is, giving up ends a checkout")
    func neverStuck() {
        for world in Self.worlds where world.finishes.isEmpty {
            var ending = world
            for input in [CheckoutMachine.Input.recorded, .cancelled, .gone] { ending.feed(input) }
            #expect(ending.finishes.count == 1, "stuck: \(world)")
        }
    }

    @Test("A process that ends at any moment leaves the session behind, if it was ever shown")
    func notForgotten() {
        for world in Self.worlds where world.presented > 0 && !world.isProvablyUnseen {
            #expect(world.session?.isDone == false, "forgotten: \(world)")
        }
        for world in Self.worlds where world.isProvablyUnseen {
            #expect(world.session?.isDone == true)
            #expect(!world.events.contains(.opened), "seen, and called unseen: \(world)")
        }
    }

    @Test("Events come once each, opened first, and none for a page that nobody saw")
    func events() {
        let plain: [[FlowEvent.Kind]] = [
            [.opened], [.opened, .closed], [.opened, .returnReceived],
            [.opened, .returnReceived, .closed],
        ]
        let failed = plain.map { [.opened, .loadFailed] + $0.dropFirst() }
        let orders = Set([[]] + plain + failed)
        for world in Self.worlds {
            #expect(orders.contains(world.events), "\(world.events)")
            #expect(world.presented <= 1)
        }
        #expect(Set(Self.worlds.map(\.events)) == orders)
    }

    @Test("A return that was taken is the result, whatever else happened meanwhile")
    func returns() {
        for world in Self.worlds {
            guard case .result(let ending, let returned) = world.finishes.first else { continue }
            #expect(returned == world.firstReturn)
            #expect((ending == .returned) == (returned != nil))
        }
    }

    @Test("A second return changes nothing")
    func secondReturn() {
        var world = World()
        let returns = Self.inputs.filter { if case .returned = $0 { true } else { false } }
        for input in [CheckoutMachine.Input.recorded, .shown] + returns + [.gone] {
            world.feed(input)
        }
        #expect(
            world.finishes == [
                .result(.returned, ReturnedCheckout(status: .succeeded, payment: "pay_1"))
            ])
    }
}
