/// How the browser around the page looks; nil leaves a thing as the system has it.
///
/// Has an effect where the page is shown in an `SFSafariViewController`, and none elsewhere.
public struct BrowserCustomization: Sendable, Equatable {
    /// The button that closes the page.
    public enum DismissButtonStyle: Sendable {
        /// “Done”.
        case done
        /// “Close”.
        case close
        /// “Cancel”.
        case cancel
    }

    /// How the page comes up.
    public enum PresentationStyle: Sendable {
        /// A card that can be swiped down.
        case pageSheet
        /// The whole screen, without a gesture to close it.
        case fullScreen
    }

    /// Light or dark controls around the page.
    public enum ColorScheme: Sendable {
        /// As the device is set.
        case system
        /// Always light.
        case light
        /// Always dark.
        case dark
    }

    /// The button that closes the page.
    public var dismissButtonStyle: DismissButtonStyle?
    /// Whether the bars shrink while the page scrolls; shows in full screen only.
    public var barCollapsingEnabled: Bool?
    /// How the page comes up; nil is `pageSheet`.
    public var presentationStyle: PresentationStyle?
    /// Light or dark controls; the page's own colours come with the session.
    public var colorScheme: ColorScheme?

    /// Sets what is given and leaves the rest to the system.
    public init(
        dismissButtonStyle: DismissButtonStyle? = nil, barCollapsingEnabled: Bool? = nil,
        presentationStyle: PresentationStyle? = nil, colorScheme: ColorScheme? = nil
    ) {
        self.dismissButtonStyle = dismissButtonStyle
        self.barCollapsingEnabled = barCollapsingEnabled
        self.presentationStyle = presentationStyle
        self.colorScheme = colorScheme
    }
}
