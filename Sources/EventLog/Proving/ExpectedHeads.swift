import Cryptography

/// The heads that a verification compares the log with, while it grows before the verifier's eyes.
struct ExpectedHeads {
    fileprivate enum Origin {
        case seal
        case anchor(Anchor)
    }

    /// True once a stored seal differed: all greater ones do then, and say nothing new.
    private var sealDiffers = false
    /// By falling size, so that the next one is the last.
    private var heads: [(size: UInt64, root: Digest, origin: Origin)] = []

    /// Nothing to compare.
    init() {}

    /// Reads the stored seals and takes the anchors; reports seals that cannot be read.
    init(
        _ anchors: [Anchor], _ verifiers: [NoteVerifier], _ reader: some LogReading,
        _ report: inout VerificationReport
    ) throws(LogError) {
        heads = anchors.map { ($0.size, $0.root, .anchor($0)) }
        try reader.scan(.seals, from: 0) { (size, row) throws(LogError) in
            do throws(LogError) {
                let seal = try Seal(row.copied())
                guard seal.head.size == size else { throw .malformedHead }
                heads.append((size, seal.head.root, .seal))
                if try Self.isSigned(seal, verifiers) { report.signedSeals += 1 }
            } catch {
                report.find(
                    .sealBroken, at: nil, "The seal of size \(size) is broken: \(error.message)")
            }
            return .more
        }
        heads.sort { $0.size > $1.size }
    }

    private static func isSigned(
        _ seal: Seal, _ verifiers: [NoteVerifier]
    ) throws(LogError) -> Bool {
        do throws(LogError) {
            _ = try seal.note.check(with: verifiers)
            return true
        } catch  where error.code == .noteNotSigned {
            // Sealed with a key that was replaced since, or that is not here.
            return false
        }
    }

    /// The size at which there is something to compare.
    var nextSize: UInt64? { heads.last?.size }

    /// Compares all heads of a size with the log's first records.
    mutating func compare(
        at size: UInt64, _ frontier: MerkleFrontier, _ report: inout VerificationReport
    ) {
        guard nextSize == size else { return }
        let root = frontier.root()
        while let head = heads.last, head.size == size {
            heads.removeLast()
            let isSeal = head.origin.anchor == nil
            if isSeal, sealDiffers { continue }
            if isSeal { sealDiffers = head.root != root }
            report.take(head.origin.anchor, size, head.root == root ? nil : .historyRewritten)
        }
    }

    /// What is left is of a greater size than the log; what differs at its very end is a fork.
    mutating func finish(_ report: inout VerificationReport) {
        while let head = heads.popLast() { report.take(head.origin.anchor, head.size, .rolledBack) }
        report.settle()
    }
}

extension ExpectedHeads.Origin {
    fileprivate var anchor: Anchor? {
        if case .anchor(let anchor) = self { anchor } else { nil }
    }
}

extension VerificationReport {
    /// Notes a comparison; without an anchor it was a stored seal.
    fileprivate mutating func take(_ anchor: Anchor?, _ size: UInt64, _ word: Word?) {
        guard let anchor else {
            seals += 1
            if word == nil { sealedEnd = max(sealedEnd, size) }
            if let word { find(word, at: nil, word.sentence(size, "the stored seal", end)) }
            return
        }
        anchors.append(ComparedAnchor(anchor: anchor, word: word))
    }

    /// Gives each anchor its word, now that it is known where the log ends.
    fileprivate mutating func settle() {
        anchors = anchors.map { compared in
            let isFork = compared.word == .historyRewritten && compared.anchor.size == end
            return isFork ? ComparedAnchor(anchor: compared.anchor, word: .fork) : compared
        }
        for compared in anchors {
            guard let word = compared.word else { continue }
            find(word, at: nil, word.sentence(compared.anchor.size, compared.anchor.name, end))
        }
    }
}

extension VerificationReport.Word {
    fileprivate func sentence(_ size: UInt64, _ place: String, _ end: UInt64) -> String {
        switch self {
        case .rolledBack:
            "Rolled back: \(place) is of \(size) records, the log has \(end)."
        case .fork:
            "Fork: \(place) is of \(size) records too, and of another root."
        default:
            "History rewritten below size \(size): its records are not those of \(place)."
        }
    }
}

extension MerkleFrontier.Node {
    /// Which records it is made from.
    var leaves: String {
        let first = index << UInt64(level)
        return "records \(first) to \(first + ((1 << UInt64(level)) - 1))"
    }
}
