/// The bounds of what this module reads.
///
/// Names say the unit.
public enum Limits {
    /// The largest webhook body that is verified, in bytes.
    ///
    /// Larger ones are refused unread.
    public static let bodyBytes = 1_048_576
    /// The largest provider reply that is read, in bytes.
    public static let replyBytes = 4_194_304
    /// How deep JSON may nest.
    ///
    /// Providers use less than ten levels; each level costs stack.
    public static let jsonDepth = 64
    /// How many signatures of one delivery are compared; the rest of a longer list is not looked
    /// at.
    ///
    /// Rotation needs two.
    public static let signatures = 64
    /// The longest header value that is read, in bytes.
    ///
    /// Signature lists are cut by ``signatures``, not by this.
    public static let headerBytes = 1_048_576
    /// The most headers of one delivery that are looked through.
    public static let headers = 1_024
    /// The most pairs of a form that are read.
    public static let formPairs = 1_024
    /// The most requests that making one session takes.
    static let creationRequests = 4
    /// The most secrets held for one role.
    ///
    /// Rotation needs two.
    public static let secretsPerRole = 16
    /// The longest secret, in bytes.
    public static let secretBytes = 4_096
    /// The longest id taken from a provider, in bytes.
    public static let identifierBytes = 512
    /// The default distance, in seconds, between the signed time and now, both ways, inclusive.
    public static let toleranceSeconds: Int64 = 300
}
