import CommandKit
import Markup

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Numbers of a picture, to a tenth of a pixel.
extension Markup.StringInterpolation {
    mutating func appendInterpolation(px value: Double) {
        guard value.isFinite else { return appendInterpolation(0) }
        let tenths = Int((value * 10).rounded())
        let sign = tenths < 0 ? "-" : ""
        let (whole, rest) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
        appendInterpolation(rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(rest)")
    }
}

/// Places of durations on a logarithmic axis.
struct LogScale {
    /// µs at the axis's ends.
    let bounds: ClosedRange<Int64>
    /// Pixels at the axis's ends; the first may be the greater.
    let pixels: (first: Double, last: Double)

    func place(_ duration: Int64) -> Double {
        let held = min(max(duration, bounds.lowerBound), bounds.upperBound)
        let low = log10(Double(bounds.lowerBound))
        let high = log10(Double(bounds.upperBound))
        let share = (log10(Double(held)) - low) / max(high - low, 0.001)
        return pixels.first + share * (pixels.last - pixels.first)
    }

    /// The duration at a share of the way.
    func duration(at share: Double) -> Int64 {
        let low = log10(Double(bounds.lowerBound))
        let high = log10(Double(bounds.upperBound))
        return Int64(pow(10, low + share * (high - low)))
    }

    /// Round durations, with the names people give them.
    static let marks: [(duration: Int64, name: String)] = [
        (100_000, "0.1 s"), (1_000_000, "1 s"), (10_000_000, "10 s"), (60_000_000, "1 min"),
        (600_000_000, "10 min"), (3_600_000_000, "1 h"), (21_600_000_000, "6 h"),
        (86_400_000_000, "1 d"), (604_800_000_000, "7 d"), (2_592_000_000_000, "30 d"),
        (31_536_000_000_000, "1 year"),
    ]

    /// The marks within the axis.
    var ticks: [(duration: Int64, name: String)] {
        Self.marks.filter { bounds.contains($0.duration) }
    }

    /// From the last mark at or below the least duration to the first at or above the greatest.
    static func bounds(around least: Int64, _ greatest: Int64) -> ClosedRange<Int64> {
        let low = marks.last { $0.duration <= least }?.duration ?? marks[0].duration
        let high = marks.first { $0.duration >= greatest }?.duration ?? max(greatest, low + 1)
        return low < high ? low...high : low...(low * 10)
    }
}

/// Round numbers on an axis from zero.
struct CountScale {
    let ticks: [Int]
    var top: Int { max(ticks.last ?? 1, 1) }

    /// Three to six steps of 1, 2 or 5 times a power of ten, up to at least the greatest number.
    init(upTo greatest: Int) {
        var step = 1
        let factors = [2, 5, 10]
        var power = 1
        var index = 0
        while greatest > step * 5, step < Int.max / 20 {
            step = power * factors[index]
            if index == 2 { power *= 10 }
            index = (index + 1) % 3
        }
        let count = max(1, (greatest + step - 1) / step)
        ticks = (0...count).map { $0 * step }
    }
}

/// A picture in its frame: the message as its title, the picture, and what it rests on.
struct Plot {
    let title: String
    let note: Markup
    let width: Double
    let height: Double
    let drawing: Markup
    /// What the picture shows, for who does not see it.
    let alternative: String

    var markup: Markup {
        """
        <figure class="card plot"><figcaption>\(title)</figcaption>
        <p class="dim">\(note)</p>
        <div class="scroll"><svg role="img" width="\(px: width)" height="\(px: height)" \
        viewBox="0 0 \(px: width) \(px: height)" aria-label="\(alternative)">
        \(drawing)</svg></div></figure>

        """
    }

    static func text(
        _ text: String, _ x: Double, _ y: Double, anchor: Anchor = .start, style: String = ""
    ) -> Markup {
        """
        <text x="\(px: x)" y="\(px: y)" text-anchor="\(anchor.rawValue)" class="\(style)">\
        \(text)</text>
        """
    }

    enum Anchor: String {
        case start, middle, end
    }

    static func line(
        _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, style: String
    ) -> Markup {
        """
        <line x1="\(px: x1)" y1="\(px: y1)" x2="\(px: x2)" y2="\(px: y2)" class="\(style)"/>
        """
    }

    /// Roughly how wide a text of the pictures' font is.
    static func width(of text: String) -> Double { Double(DisplayWidth.of(text)) * 6.1 }
}
