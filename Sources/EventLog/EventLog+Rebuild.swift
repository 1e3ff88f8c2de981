extension EventLog {
    /// Rebuilds.
    public func rebuild() throws(LogError) {}
}
