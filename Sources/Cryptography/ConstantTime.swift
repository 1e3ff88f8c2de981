/// Comparing secrets without telling, by the time it takes, where they differ.
public enum ConstantTime {
    /// True when both have the same bytes.
    ///
    /// A difference in length is seen at once and is false: the length of an authentication code
    /// is no secret.
    /// A loop in Swift was refused though it is faster: the optimizer may make it stop early.
    public static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return left.withUnsafeBytes { left in
            right.withUnsafeBytes { right in
                Memory.isEqual(left.baseAddress, right.baseAddress, count: left.count)
            }
        }
    }
}
