import Cryptography

/// Choosing and storing seals.
extension WriteCore {
    /// Begins to seal; what was stored and may not have been published is published again.
    func begin(_ sealing: Sealing) throws(LogError) {
        let (end, last) = try store.read { (reader) throws(LogError) in
            (try reader.end(), try reader.lastSeal())
        }
        let size = last?.head.size ?? 0
        let schedule = SealSchedule(
            sealedSize: min(size, end), end: end, every: sealing.interval, now: .now)
        let keeper = SealKeeper(sealing, schedule, sealTrouble)
        if size <= end { keeper.unpublished = last }
        sealer = keeper
    }

    /// The seal of the log as it is now: a new one, or the stored one of this size.
    ///
    /// The records it covers are flushed before it is signed.
    func seal(with keeper: SealKeeper) throws(LogError) -> Seal {
        let start = ContinuousClock.now
        try store.flush()
        let seal = try transact { (writer) throws(LogError) in
            try refresh(writer)
            if let last = try writer.lastSeal() {
                guard last.head.size <= head.end else {
                    throw .rolledBack(to: head.end, from: last.head.size)
                }
                if keeper.agreedSize != last.head.size { try checkPrefix(last.head, writer) }
                if last.head.size == head.end { return last }
            }
            let head = TreeHead(
                origin: keeper.sealing.origin, size: head.end, root: head.frontier.root())
            let time = UInt64(max(0, keeper.sealing.clock.now()) / 1_000_000)
            let seal = Seal(head, signedBy: keeper.sealing.signers, at: time)
            try writer.put(.seals, head.size, seal.bytes)
            reached?(.sealChosen)
            return seal
        }
        keeper.agreedSize = seal.head.size
        let now = ContinuousClock.now
        keeper.schedule.note(sealed: seal.head.size, took: now - start, now: now)
        keeper.unpublished = seal
        reached?(.sealStored)
        return seal
    }

    /// The log must still begin with what was sealed: no other history is ever signed.
    private func checkPrefix(_ sealed: TreeHead, _ writer: Store.Writer) throws(LogError) {
        let root = try StoredTree(reader: writer).root(of: 0..<sealed.size)
        guard root == sealed.root else { throw .historyRewritten(below: sealed.size) }
    }

    /// Seals when it is due, or at once; a failure is remembered and fails no append.
    func keepSealed(_ moment: SealMoment) {
        guard let keeper = sealer, stopped == nil else { return }
        let now = ContinuousClock.now
        if isKnown { keeper.schedule.note(end: head.end, now: now) }
        let isDue = keeper.schedule.wait(now: now).map { $0 == .zero || moment == .closing }
        do throws(LogError) {
            if isDue == true {
                _ = try seal(with: keeper)
                sealTrouble.error = nil
            }
            try keeper.publish(isLast: moment != .busy, now: now)
        } catch {
            sealTrouble.error = error
            keeper.schedule.noteFailure(now: now)
        }
    }

    /// True while a stored seal waits to be published.
    var hasUnpublishedSeal: Bool { stopped == nil && sealer?.unpublished != nil }

    /// How long the writer may sleep before a seal is due; nil = for ever.
    var sealWait: Duration? {
        guard let keeper = sealer, stopped == nil else { return nil }
        return keeper.schedule.wait(now: .now)
    }
}

/// When the writer looks whether to seal.
enum SealMoment {
    /// Between two transactions.
    case busy
    /// Nothing waits.
    case idle
    /// Nothing will come any more.
    case closing
}

extension LogReading {
    /// The seal of the greatest size; nil before the first one.
    func lastSeal() throws(LogError) -> Seal? {
        guard let size = try lastKey(.seals) else { return nil }
        return try seal(ofSize: size)
    }

    /// The seal of a size.
    func seal(ofSize size: UInt64) throws(LogError) -> Seal? {
        guard let bytes = try value(.seals, size, { $0.copied() }) else { return nil }
        let seal = try? Seal(bytes)
        guard let seal, seal.head.size == size else {
            throw .damagedRow("The seal of size \(size)")
        }
        return seal
    }
}

extension LogError {
    package static func rolledBack(to end: UInt64, from size: UInt64) -> LogError {
        LogError(
            .rolledBack,
            "The log has \(end) records; one of \(size) was sealed: it was rolled back.",
            hint: "Find the newer ledger, or go on in a new epoch with 'recover --new-epoch'.")
    }

    package static func historyRewritten(below size: UInt64) -> LogError {
        LogError(
            .historyRewritten,
            "The \(size) records below a sealed size are not those that were sealed.",
            hint: "Run a verification; keep the files as they are. 'recover --new-epoch' goes on.")
    }
}
