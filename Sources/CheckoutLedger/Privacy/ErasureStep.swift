/// The steps of an erasure that are durable on their own, in order; a crash between any two of
/// them is taken up at the next opening.
package enum ErasureStep: Int, Sendable, CaseIterable {
    /// The keystore knows of the request.
    case begun
    /// The log does.
    case requested
    /// Late deliveries of the subject are discarded from now on.
    case marked
    /// Keys and look-up entries are gone, tombstones are there.
    case removed
    /// The source of the root key gives the old and the new one.
    case rootPrepared
    /// The rewritten keystore is complete, without its name.
    case copied
    /// It has its name.
    case renamed
    /// The old keystore's file is gone.
    case destroyed
    /// The old root key is gone.
    case rootReplaced
    /// The receipt is in the log.
    case receipted
}
