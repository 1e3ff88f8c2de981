/// Bounds of the scanner; past one a value is looked at less closely, never trapped on.
enum Limits {
    /// Digits of a card number.
    static let cardDigits = 13...19
    /// Fewest digits that are a card number when each stands by itself.
    static let singleDigits = 14
    /// Groups of digits that are looked at from one place.
    static let digitGroups = 20
    /// Bytes around a 13-digit number in which a card word makes it one.
    static let cardWordReach = 32
    /// Most digits of a telephone number behind `+`.
    static let phoneDigits = 15
    /// Hexadecimal characters from which a token is a hash or an object's id.
    static let hexToken = 24
    /// Bytes between a security code's word and its digits.
    static let codeGap = 24
    /// Longest part of an e-mail address in front of the `@`, in bytes.
    static let emailLocalPart = 64
    /// Shortest of the process's own secrets that is looked for; a shorter one would mask words.
    static let ownSecretBytes = 8
    /// Objects and arrays inside each other whose names are known; deeper ones are scanned too.
    static let namedDepth = 64
    /// Bytes of a URL's authority that are searched for user-info.
    static let authorityBytes = 1_024
    /// Longest identifier that the grammar knows, in bytes.
    static let identifierBytes = 255
    /// Longest form name that can be a field's name, in bytes.
    static let fieldNameBytes = 128
}
