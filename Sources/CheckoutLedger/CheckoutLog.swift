package import EventLog

extension EventLog where Schema == CheckoutSchema, Store == LMDBStore {
    /// Opens a checkout log on disk, or makes it.
    ///
    /// Stands here, where schema and store are known: the log's write path becomes code for the two
    /// in the module that makes the log, whoever asks for it. Throws as ``EventLog``'s own.
    package convenience init(
        checkoutsIn store: LMDBStore, clock: any LogClock = SystemLogClock(),
        ids: any LogIDSource = RandomLogIDSource()
    ) throws(LogError) {
        try self.init(store: store, clock: clock, ids: ids)
    }
}
