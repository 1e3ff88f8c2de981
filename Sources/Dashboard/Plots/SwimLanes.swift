import CheckoutLedger
import CheckoutModel
import CommandKit
import LedgerViews
import Markup

/// A session's story along time: who spoke when, and what the ledger made of it.
///
/// Three lanes: the app and its browser, the provider, the ledger. Facts stand in the order in
/// which they became known here, by the ledger's clock, so that its lane can be a band: what may be
/// shown after each of them, filled once an outcome stands. Gaps are compressed, each with its
/// length on it. What told nothing new, or came out of order, is hollow.
struct SwimLanes {
    let story: [StoryEntry]

    private static let laneNames = ["app", "provider", "ledger"]
    private static let (left, top, laneHeight) = (76.0, 30.0, 64.0)
    private static let (bandHeight, right) = (24.0, 20.0)
    private static let ledgerLane = 2

    private var shown: [StoryEntry] { Array(story.prefix(Limits.factsDrawn)) }

    /// Microseconds from the first record to this one.
    private func time(_ entry: StoryEntry) -> Int64 {
        guard let first = story.first else { return 0 }
        return max(0, entry.recorded.recordedAt.since(first.recorded.recordedAt))
    }

    func plot() -> Plot {
        let entries = shown
        let places = places(entries)
        let width = (places.last ?? Self.left) + 110 + Self.right
        let height = Self.top + Self.laneHeight * 3 + 30
        var drawing = lanes(width)
        drawing += gaps(entries, places, height)
        drawing += band(entries, places, width)
        for (entry, x) in zip(entries, places) { drawing += mark(entry, x, entries) }
        let more = story.count - entries.count
        let rest = more > 0 ? " The first \(entries.count); \(more) more stand in the table." : ""
        return Plot(
            title: "Who said what, and what was held true",
            note: """
                Gaps are compressed and carry their length. Hollow: told nothing new, or came out \
                of order. In the ledger's lane a dashed band is what an app may show on hints; a \
                filled one is an outcome.\(rest)
                """,
            width: max(width, 420), height: height, drawing: drawing,
            alternative: "Timeline of \(story.count) facts; the table below has them all.")
    }

    /// Where each fact stands: at least a label's width apart, more for longer gaps.
    private func places(_ entries: [StoryEntry]) -> [Double] {
        var places: [Double] = []
        for (index, entry) in entries.enumerated() {
            guard index > 0, let last = places.last else {
                places.append(Self.left + 46)
                continue
            }
            let gap = time(entry) - time(entries[index - 1])
            // Each tenfold time from a millisecond on takes ten pixels more.
            var more = 0.0
            var rest = gap / 1_000
            while rest > 0 {
                more += 7
                rest /= 10
            }
            places.append(last + 78 + more)
        }
        return places
    }

    private static func lane(_ entry: StoryEntry) -> Int {
        switch entry.recorded.event.source {
        case .app, .browser, .host: 0
        case .webhook, .query: 1
        case .operator, .ledger: ledgerLane
        }
    }

    private func y(_ lane: Int) -> Double {
        Self.top + Self.laneHeight * Double(lane) + Self.laneHeight / 2
    }

    private func lanes(_ width: Double) -> Markup {
        var drawing = Markup.empty
        for (index, name) in Self.laneNames.enumerated() {
            drawing += Plot.line(
                Self.left, y(index), width - Self.right, y(index),
                style: index == Self.ledgerLane ? "grid" : "axis")
            drawing += Plot.text(name, 8, y(index) + 4, style: "name")
        }
        return drawing
    }

    private func gaps(
        _ entries: [StoryEntry], _ places: [Double], _ height: Double
    ) -> Markup {
        var drawing = Plot.text("time", 8, height - 8)
        for index in entries.indices {
            let entry = entries[index]
            drawing += Plot.line(
                places[index], Self.top - 6, places[index], height - 24, style: "grid")
            drawing += Plot.text(
                index == 0 ? "start" : "+" + Self.text(time(entry)), places[index], height - 8,
                anchor: .middle)
            guard index > 0 else { continue }
            let gap = time(entry) - time(entries[index - 1])
            guard gap >= 1_000_000 else { continue }
            drawing += Plot.text(
                Self.text(gap), (places[index - 1] + places[index]) / 2,
                Self.top - 12, anchor: .middle)
        }
        return drawing
    }

    /// `41.2 s` in the first minute, `1 min 20 s` in the first hour, then one number and one unit.
    private static func text(_ time: Int64) -> String {
        let seconds = time / 1_000_000
        guard (60..<3_600).contains(seconds) else {
            return Wording.duration(.microseconds(time))
        }
        return "\(seconds / 60) min \(seconds % 60) s"
    }

    /// What may be shown from each fact to the next.
    private func band(_ entries: [StoryEntry], _ places: [Double], _ width: Double) -> Markup {
        var drawing = Markup.empty
        var index = 0
        while index < entries.count {
            let entry = entries[index]
            var next = index + 1
            while next < entries.count, entries[next].status == entry.status,
                entries[next].outcome == entry.outcome
            {
                next += 1
            }
            let x = places[index]
            let end = next < entries.count ? places[next] : width - Self.right
            let top = y(Self.ledgerLane) - Self.bandHeight / 2
            let name = entry.status.name
            let isSure = entry.outcome != nil
            drawing +=
                isSure
                ? """
                <rect x="\(px: x)" y="\(px: top)" width="\(px: max(end - x - 2, 4))" \
                height="\(px: Self.bandHeight)" rx="3" class="f-\(name)"/>
                """
                : """
                <rect x="\(px: x + 1)" y="\(px: top)" width="\(px: max(end - x - 4, 4))" \
                height="\(px: Self.bandHeight)" rx="3" class="unsure l-\(name)"/>
                """
            if end - x > Plot.width(of: name) + 12 {
                drawing += Plot.text(
                    name, x + 8, y(Self.ledgerLane) + 4, style: isSure ? "on" : "name")
            }
            index = next
        }
        return drawing
    }

    private func mark(_ entry: StoryEntry, _ x: Double, _ entries: [StoryEntry]) -> Markup {
        let lane = Self.lane(entry)
        let position = entry.recorded.position
        let isHollow = entry.isRepeated || isLate(entry)
        let at = lane == Self.ledgerLane ? y(lane) - Self.bandHeight / 2 - 9 : y(lane)
        let tone = entry.laneTone
        let what = entry.effects.isEmpty ? entry.detail : entry.effects.joined(separator: "; ")
        let name: Markup = "<title>@\(position) \(entry.detail): \(what)</title>"
        let shape: Markup =
            isHollow
            ? """
            <circle cx="\(px: x)" cy="\(px: at)" r="6" class="open l-\(tone)">\(name)</circle>
            """
            : """
            <circle cx="\(px: x)" cy="\(px: at)" r="6.5" class="f-\(tone)">\(name)</circle>
            """
        var drawing: Markup = "<a href=\"#e\(position)\">\(shape)"
        for (line, text) in entry.label.enumerated() where lane != Self.ledgerLane {
            drawing += Plot.text(
                text, x, at + 19 + 12 * Double(line), anchor: .middle, style: "name")
        }
        drawing += "</a>\n"
        return drawing
    }

    /// True when something that happened later had been recorded before.
    private func isLate(_ entry: StoryEntry) -> Bool {
        guard entry.recorded.event.source == .webhook, entry.recorded.event.occurredAt != nil
        else { return false }
        return story.contains { other in
            other.recorded.position < entry.recorded.position && other.offset > entry.offset
                && other.recorded.event.source == .webhook
                && other.recorded.event.occurredAt != nil
        }
    }
}

extension StoryEntry {
    /// The colour of what the fact itself says.
    fileprivate var laneTone: String {
        let event = recorded.event
        switch event.type {
        case .paymentSucceeded, .refundSucceeded, .disputeWon, .subscriptionActive,
            .subscriptionRenewed:
            return "succeeded"
        case .paymentFailed, .deliveryRefused, .deliveryConflicted, .deliveryQuarantined,
            .disputeOpened, .disputeLost, .refundFailed, .sessionFailedToOpen,
            .subscriptionFailed, .subscriptionPastDue:
            return "failed"
        case .sessionClosed, .paymentCancelled: return "cancelled"
        case .sessionExpired: return "expired"
        case .paymentPending, .paymentAuthorised, .refundPending: return "pending"
        case .sessionReturned, .statusChecked, .operatorResolved:
            return event.status?.name ?? "pending"
        default: return "none"
        }
    }

    /// The fact in one or two short words under each other.
    fileprivate var label: [String] {
        let name = recorded.event.type.name
        let parts = name.split(separator: ".", maxSplits: 1).map {
            $0.split(separator: "_").joined(separator: " ")
        }
        // A session's own steps say themselves; others need to say whose they are.
        let words = parts.first == "session" ? Array(parts.dropFirst()) : parts
        return words.map { DisplayWidth.truncated($0, to: 13) }
    }
}
