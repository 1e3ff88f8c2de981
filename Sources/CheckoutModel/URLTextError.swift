/// Why a text is not a URL that can be looked at.
///
/// Carries no part of the text.
public struct URLTextError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was wrong.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// No scheme, or one with a character that no scheme has.
        case notAURL = "not_a_url"
        /// A character in the host that cannot stand there: a space, a control, a backslash ….
        case malformedHost = "malformed_host"
        /// A port that is not a number up to 65535.
        case malformedPort = "malformed_port"
        /// Longer than `ModelLimits.urlBytes`.
        case tooLong = "url_too_long"
        /// More parameters than `ModelLimits.urlParameters`.
        case tooManyParameters = "url_too_many_parameters"
    }

    /// What was wrong.
    public let reason: Reason

    /// Makes the error of one reason.
    public init(_ reason: Reason) { self.reason = reason }

    /// The stable word for programs.
    public var code: String { reason.rawValue }

    /// One sentence for a person.
    public var message: String {
        switch reason {
        case .notAURL: "The text does not begin with a scheme such as https: or myapp:."
        case .malformedHost: "The host has a character that no host can have."
        case .malformedPort: "The port is not a number up to 65535."
        case .tooLong: "The URL is longer than \(ModelLimits.urlBytes) bytes."
        case .tooManyParameters: "The URL has more than \(ModelLimits.urlParameters) parameters."
        }
    }

    /// What to try next.
    public var hint: String {
        switch reason {
        case .notAURL: "Pass the whole URL, with nothing before its scheme."
        case .malformedHost, .malformedPort: "Look at the part between // and the next slash."
        case .tooLong, .tooManyParameters: "No provider sends such a URL; look where it came from."
        }
    }

    /// The code and the sentence.
    public var description: String { "\(code): \(message)" }
}
