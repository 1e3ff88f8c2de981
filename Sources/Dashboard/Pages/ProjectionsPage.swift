import CheckoutModel
import CommandKit
import EventLog
import Markup

/// How far the read models have come.
struct Projections: Sendable {
    var statistics: LogStatistics
    var movement: ProjectionMovement
    /// A rebuild that is under way, in whichever process.
    var rebuild: LogProgress?
    /// Users' own projections: name, version, next position.
    var own: [(name: String, version: UInt32, next: UInt64)]
    /// How far the pages' own counts have read.
    var digestEnd: UInt64
}

/// Whether the rows follow the log, judged from two looks at it.
struct ProjectionMovement: Sendable, Hashable {
    /// The checkpoint at the first look at which it stood where it stands.
    var checkpoint: UInt64
    var since: Instant

    init(checkpoint: UInt64, since: Instant) {
        self.checkpoint = checkpoint
        self.since = since
    }

    /// Takes a further look: a checkpoint that moved begins a new time.
    mutating func look(_ checkpoint: UInt64, at now: Instant) {
        if checkpoint != self.checkpoint {
            self = ProjectionMovement(checkpoint: checkpoint, since: now)
        }
    }

    enum State: String, Sendable {
        /// Every event is in the rows.
        case current
        /// Rows are written in batches; this much behind is their ordinary way.
        case moving
        /// Behind for longer than a batch takes, and the checkpoint does not move.
        case stuck
    }

    /// Rows are written every 8,192 events and when the writer is idle for a second.
    func state(events: UInt64, checkpoint: UInt64, at now: Instant) -> State {
        let lag = events - min(checkpoint, events)
        if lag == 0 { return .current }
        let waited = now.microseconds &- since.microseconds
        return waited > Limits.stuckAfter && lag > Limits.ordinaryLag ? .stuck : .moving
    }
}

enum ProjectionsPage {
    static func page(_ projections: Projections, _ view: PageView) -> Page {
        let log = projections.statistics
        let content: Markup = """
            \(Markup.heading("Projections", """
                Is what I see current? Read models are folded from the log and can be thrown away. \
                Every answer folds the events behind the checkpoint over the rows, so it is exact \
                however far the rows are behind.
                """))
            <div id="state" data-live>\(state(projections, view))\(own(projections))</div>
            <h2>Rebuild</h2>
            \(rebuild(projections))
            <p class="cmd">Fold everything anew, compare and swap: \
            <code data-copy>\(view.command("replay"))</code></p>
            <p class="dim">Fold version \(log.foldVersion). A rebuild writes new rows beside the \
            live ones; readers see the old ones until it is done.</p>
            """
        return Page(
            "Projections", section: "/projections", json: "/projections.json",
            command: view.command("replay", "--dry-run"), isLive: true, content: content)
    }

    private static func state(_ projections: Projections, _ view: PageView) -> Markup {
        let log = projections.statistics
        let lag = log.events - min(log.watermark, log.events)
        let state = projections.movement.state(
            events: log.events, checkpoint: log.watermark, at: view.now)
        let word: Markup
        switch state {
        case .current: word = "<span class=\"good\">current</span>"
        case .moving: word = "<span class=\"good\">moving</span>"
        case .stuck:
            word = "<span class=\"bad\">stuck</span> since \(time: projections.movement.since)"
        }
        var table = RowTable([
            .text("Projection"), .text("State"), .number("Checkpoint"), .number("Head"),
            .number("Lag"), .text("What it is for"),
        ])
        let builtIn = [
            ("CurrentSessions", "every session's state"),
            ("AbandonedSessions", "shown, and without an outcome"),
            ("FinalOutcomes", "what became true, and when"),
        ]
        for (name, use) in builtIn {
            table.add([
                "\(name)", word, "\(count: log.watermark)", "\(count: log.events)",
                "\(Wording.count(Int(clamping: lag), "event"))",
                "<span class=\"dim\">\(use)</span>",
            ])
        }
        let behind = log.events - min(projections.digestEnd, log.events)
        table.add([
            "these pages' counts",
            behind == 0
                ? "<span class=\"good\">current</span>" : "<span class=\"good\">moving</span>",
            "\(count: projections.digestEnd)", "\(count: log.events)",
            "\(Wording.count(Int(clamping: behind), "event"))",
            "<span class=\"dim\">in memory, caught up at each request</span>",
        ])
        return table.markup
    }

    private static func own(_ projections: Projections) -> Markup {
        guard !projections.own.isEmpty else { return .empty }
        let head = projections.statistics.events
        var table = RowTable([
            .text("Own projection"), .number("Version"), .number("Checkpoint"), .number("Lag"),
        ])
        for (name, version, next) in projections.own {
            table.add([
                "\(name)", "\(version)", "\(count: next)",
                "\(Wording.count(Int(clamping: head - min(next, head)), "event"))",
            ])
        }
        return "<h2>Your own</h2>\(table.markup)"
    }

    private static func rebuild(_ projections: Projections) -> Markup {
        guard let progress = projections.rebuild else {
            return "<p>No rebuild is under way.</p>"
        }
        let share = Wording.percent(Int(clamping: progress.done), of: Int(clamping: progress.total))
        return """
            <p class="note">A rebuild is under way, or was broken off: \(count: progress.done) of \
            \(count: progress.total) events, \(share).</p>
            """
    }

    static func json(_ projections: Projections, at now: Instant) -> [UInt8] {
        var writer = JSONWriter()
        let log = projections.statistics
        writer.object { writer in
            writer.field("schema", "projections/1")
            writer.field(
                "state",
                projections.movement.state(
                    events: log.events, checkpoint: log.watermark, at: now
                ).rawValue)
            writer.field("checkpoint", log.watermark)
            writer.field("head", log.events)
            writer.field("lag", log.events - min(log.watermark, log.events))
            writer.field("rebuildDone", projections.rebuild?.done)
            writer.array("own") { list in
                for (name, version, next) in projections.own {
                    list.object {
                        $0.field("name", name)
                        $0.field("version", Int(version))
                        $0.field("checkpoint", next)
                    }
                }
            }
        }
        return writer.line()
    }
}
