extension EventLog {
    /// Builds the projections' rows anew beside the live ones and swaps them in one transaction.
    ///
    /// Works in slices between other writes, which go on; readers see the old rows until the swap.
    /// A crash leaves the old rows live. Blocks its caller. Throws `REBUILD_TAKEN_OVER` when
    /// another rebuild began meanwhile, in whichever process, and as ``checkpoint()``.
    public func rebuild(
        progress: (@Sendable (LogProgress) -> Void)? = nil
    ) throws(LogError) {
        let owner = UInt64(truncatingIfNeeded: ids.next())
        let old = try onWriter { (core) throws(LogError) in try core.beginRebuild(owner) }
        while try onWriter({ (core) throws(LogError) in
            try core.clearSlice(of: old.other, rebuild: owner)
        }) {}
        var step: RebuildStep
        repeat {
            step = try onWriter { (core) throws(LogError) in try core.rebuildSlice(owner) }
            progress?(step.progress)
        } while !step.isDone
        while try onWriter({ (core) throws(LogError) in
            try core.clearSlice(of: old, rebuild: nil)
        }) {}
    }
}

extension EventLog {
    /// Rebuilds for a changed fold; where another process is at it, waits while that one gets on.
    func rebuildOnOpening() throws(LogError) {
        while true {
            do throws(LogError) {
                return try rebuild()
            } catch  where error.code == .rebuildTakenOver {
                var seen: RebuildMark?
                var patience = Limits.rebuildPatience
                while patience > 0 {
                    ThreadGate().pass(milliseconds: Limits.foreignCommitPollMilliseconds)
                    let (version, mark) = try store.read { (reader) throws(LogError) in
                        (try reader.watermark().foldVersion, try reader.rebuildMark())
                    }
                    if version == Schema.foldVersion { return }
                    patience = mark == seen ? patience - 1 : Limits.rebuildPatience
                    seen = mark
                }
            }
        }
    }
}

/// What one slice of a rebuild came to.
struct RebuildStep: Sendable {
    var progress: LogProgress
    var isDone: Bool
}

extension WriteCore {
    /// Claims the set that is not live; gives the live one.
    func beginRebuild(_ owner: UInt64) throws(LogError) -> RowSet {
        try transact { (writer) throws(LogError) in
            try writer.put(
                RebuildMark(owner: owner, foldVersion: Schema.foldVersion, position: 0))
            return try writer.watermark().set
        }
    }

    /// Deletes some rows of a set that is not live; false when it had none left.
    func clearSlice(of set: RowSet, rebuild owner: UInt64?) throws(LogError) -> Bool {
        try transact { (writer) throws(LogError) in
            let mark = try writer.rebuildMark()
            if let owner { try check(mark, owner) }
            // Without an owner this is the clearing after the swap, which a new rebuild takes over.
            guard owner != nil || mark == nil, try writer.watermark().set != set else {
                return false
            }
            for table in [set.streams, set.open, set.outcomes] {
                var keys: [UInt64] = []
                try writer.scan(table, from: 0) { (key, _) throws(LogError) in
                    keys.append(key)
                    return keys.count < Limits.rowsPerDeletion ? .more : .stop
                }
                for key in keys { try writer.delete(table, key) }
                if !keys.isEmpty { return true }
            }
            return false
        }
    }

    /// Folds the next events into the set that is not live; swaps the sets at the log's end.
    func rebuildSlice(_ owner: UInt64) throws(LogError) -> RebuildStep {
        try transact { (writer) throws(LogError) in
            guard var mark = try writer.rebuildMark() else { throw .rebuildWasTakenOver }
            try check(mark, owner)
            let set = try writer.watermark().set.other
            let end = try writer.end()
            let target = min(mark.position + Limits.eventsPerRebuildSlice, end)
            var tail = Tail<Schema>(at: mark.position)
            try tail.catchUp(to: target, writer, set)
            try tail.writeRows(writer, set, outcomesFrom: mark.position)
            mark.position = target
            if target == end {
                try writer.put(
                    Watermark(set: set, foldVersion: Schema.foldVersion, position: end))
                try writer.delete(.meta, MetaKey.rebuild)
            } else {
                try writer.put(mark)
            }
            return RebuildStep(
                progress: LogProgress(done: target, total: end), isDone: target == end)
        }
    }

    private func check(_ mark: RebuildMark?, _ owner: UInt64) throws(LogError) {
        guard mark?.owner == owner, mark?.foldVersion == Schema.foldVersion else {
            throw .rebuildWasTakenOver
        }
    }
}

extension LogError {
    static let rebuildWasTakenOver = LogError(
        .rebuildTakenOver, "Another rebuild of the projections began.",
        hint: "Wait for it; the live rows are the old ones until it is done.")
}
