/// The likely cause of a refused delivery, for a person's eyes.
///
/// Never a reason to accept it.
public struct WebhookDiagnosis: Sendable, Hashable, CustomStringConvertible {
    /// What most likely went wrong.
    public enum Cause: String, Sendable, Hashable, CaseIterable {
        /// The signature fits, only the time is off.
        case clock
        /// The time is off and the signature fits nothing either.
        case replayOrForgery = "replay_or_forgery"
        /// The sender signs with the secret's text and we with its decoded bytes, or vice versa.
        case secretEncoding = "secret_encoding"
        /// A line end or byte order mark was added, dropped or changed.
        case lineEnds = "line_ends"
        /// The JSON was parsed and written again on its way.
        case bodyReencoded = "body_reencoded"
        /// The right signature stands in a header, but as hexadecimal, without `v1,` or the like.
        case signatureForm = "signature_form"
        /// A header that is needed came under another name.
        case wrongHeader = "wrong_header"
        /// Id and time are not part of what was signed.
        case bodyAloneSigned = "body_alone_signed"
        /// A header was dropped or changed on its way.
        case headerLost = "header_lost"
        /// Nothing fits: another endpoint's secret, test mixed with live, or a forgery.
        case wrongSecret = "wrong_secret"
    }

    /// What most likely went wrong.
    public let cause: Cause
    /// The header concerned, where it is one.
    public let headerName: String?
    /// For a clock: how many seconds ago the delivery was signed; negative in the future.
    public let ageSeconds: Int64?

    init(_ cause: Cause, headerName: String? = nil, ageSeconds: Int64? = nil) {
        self.cause = cause
        self.headerName = headerName
        self.ageSeconds = ageSeconds
    }

    /// One sentence for a person.
    public var message: String {
        switch cause {
        case .clock: "The signature fits; it was made \(ageText)."
        case .replayOrForgery: "The time is off and no signature fits: a replay or a forgery."
        case .secretEncoding: "The signature fits when the secret is read in another encoding."
        case .lineEnds: "The signature fits when the body's line ends are changed back."
        case .bodyReencoded: "The signature fits when the JSON is written in another style."
        case .signatureForm:
            "The right signature stands in \(headerName ?? "a header"), not in the form expected."
        case .wrongHeader: "The header came under another name: \(headerName ?? "unknown")."
        case .bodyAloneSigned: "The signature covers the body alone, without id and time."
        case .headerLost: "The header \(headerName ?? "") does not arrive as it was sent."
        case .wrongSecret: "No usual mistake explains it: most likely another secret signed."
        }
    }

    /// What to do about it.
    public var hint: String {
        switch cause {
        case .clock: "Set this machine's clock; if it is right, this is an old delivery replayed."
        case .replayOrForgery: "Nothing needs to be done if it does not come again."
        case .secretEncoding: "Check that the secret was copied for this provider, prefix included."
        case .lineEnds: "Hand over the raw bytes of the request; do not trim or convert them."
        case .bodyReencoded: "Verify the raw bytes before any middleware parses the JSON."
        case .signatureForm, .bodyAloneSigned: "Check what signs these deliveries."
        case .wrongHeader, .headerLost: "Look at what the proxy in front does to headers."
        case .wrongSecret: "Compare the secret of this endpoint, test and live apart."
        }
    }

    private var ageText: String {
        guard let ageSeconds else { return "at another time" }
        return ageSeconds < 0 ? "\(-ageSeconds) s in the future" : "\(ageSeconds) s ago"
    }

    /// Cause, sentence and hint on one line.
    public var description: String { "\(cause.rawValue): \(message) \(hint)" }
}
