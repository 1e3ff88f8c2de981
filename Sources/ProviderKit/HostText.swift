/// What may stand as a host's name in a configuration.
public enum HostText {
    /// True for lower-case ASCII labels of letters, digits and hyphens, joined by single dots.
    public static func isPlain(_ text: String) -> Bool {
        let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.count > 1
            && labels.allSatisfy { label in
                !label.isEmpty
                    && label.allSatisfy {
                        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0)
                            || $0 == UInt8(ascii: "-")
                    }
            }
    }
}
