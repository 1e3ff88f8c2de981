extension EventLog {
    /// Seals the log from now on: every 1,024 events, after 60 seconds with news, and at closing.
    ///
    /// Between transactions on the writer's thread, so that no append waits for a signature; later
    /// where the disk is so slow that seals would take a sixteenth of the writer's time. A seal
    /// that fails fails no append: see ``sealTrouble``. Blocks its caller. Throws `DAMAGED`,
    /// `LOG_CLOSED`, `STORAGE_FAILED`.
    public func beginSealing(_ sealing: Sealing) throws(LogError) {
        precondition(!sealing.signers.isEmpty, "a seal has at least one signature")
        try onWriter { (core) throws(LogError) in
            try core.begin(sealing)
            core.keepSealed(.idle)
        }
    }

    /// Seals the log as it is now, and publishes the seal; the stored one where nothing is new.
    ///
    /// Blocks its caller. Throws `NOT_SEALED` when no sealing has begun, `ROLLED_BACK` and
    /// `HISTORY_REWRITTEN` when the log is not a longer one of what was sealed, what publishing
    /// throws, and as ``checkpoint()``.
    public func seal() throws(LogError) -> Seal {
        try onWriter { (core) throws(LogError) in
            guard let keeper = core.sealer else {
                throw LogError(
                    .notSealed, "This log has no key to seal with.",
                    hint: "Open it with a seal key.")
            }
            do throws(LogError) {
                let seal = try core.seal(with: keeper)
                try keeper.publish(isLast: true, now: .now)
                core.sealTrouble.error = nil
                return seal
            } catch {
                core.sealTrouble.error = error
                throw error
            }
        }
    }

    /// Why the last attempt of this process to seal failed; nil when it did not.
    ///
    /// Does not wait for the writer.
    public var sealTrouble: LogError? { trouble.error }

    /// The seal of a size; throws `DAMAGED` when it cannot be read.
    public func seal(ofSize size: UInt64) throws(LogError) -> Seal? {
        try reading { (snapshot) throws(LogError) in try snapshot.reader.seal(ofSize: size) }
    }

    /// Every stored seal, by size; throws `DAMAGED` when one cannot be read.
    public func seals() throws(LogError) -> [Seal] {
        try reading { (snapshot) throws(LogError) in
            var found: [Seal] = []
            try snapshot.reader.scan(.seals, from: 0) { (size, row) throws(LogError) in
                guard let seal = try? Seal(row.copied()) else {
                    throw LogError.damagedRow("The seal of size \(size)")
                }
                found.append(seal)
                return .more
            }
            return found
        }
    }

    /// The seal of the greatest size; nil before the first one.
    public func lastSeal() throws(LogError) -> Seal? {
        try reading { (snapshot) throws(LogError) in try snapshot.reader.lastSeal() }
    }

    /// Writes nothing from now on: appends fail with `error`, as given.
    ///
    /// For a log that is found not to be the one that was sealed. Blocks its caller.
    package func refuseWrites(_ error: LogError) throws(LogError) {
        try onWriter { (core) throws(LogError) in
            core.sealer = nil
            core.sealTrouble.error = nil
            core.stopped = error
        }
    }

    /// Begins a new epoch: `genesis` is its first record, and seals beyond the log's end go.
    ///
    /// All in one transaction, also where writes are refused. The log must be opened anew
    /// afterwards: its identity has the new epoch. Blocks its caller.
    package func beginEpoch(
        _ epoch: UInt32, genesis: AppendRequest
    ) throws(LogError) -> AppendResult {
        try onWriter { (core) throws(LogError) in try core.beginEpoch(epoch, genesis) }
    }
}

extension WriteCore {
    fileprivate func beginEpoch(
        _ epoch: UInt32, _ genesis: AppendRequest
    ) throws(LogError) -> AppendResult {
        sealer = nil
        stopped = nil
        let result = try transact { (writer) throws(LogError) in
            let identity = try writer.ledgerIdentity()
            guard epoch > identity.epoch else {
                throw .invalid("A new epoch must be later than epoch \(identity.epoch + 1).")
            }
            let end = try writer.end()
            while let size = try writer.lastKey(.seals), size > end {
                try writer.delete(.seals, size)
            }
            try writer.put(
                LedgerIdentity(id: identity.id, createdAt: identity.createdAt, epoch: epoch))
            guard let result = try appendAll([[genesis]], writer).first else {
                preconditionFailure("a result for each batch")
            }
            return try result.get()
        }
        guard let result = result.first else {
            preconditionFailure("a result for each request")
        }
        return result
    }
}
