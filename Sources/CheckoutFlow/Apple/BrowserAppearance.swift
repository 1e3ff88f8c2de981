#if canImport(UIKit) && canImport(SafariServices)
    /// How the browser around a page looks; nil leaves a thing as the system has it.
    public struct BrowserAppearance: Sendable, Hashable {
        /// The button that closes the page.
        public enum DismissButtonStyle: Sendable, Hashable {
            /// “Done”.
            case done
            /// “Close”.
            case close
            /// “Cancel”.
            case cancel
        }

        /// How the page comes up.
        public enum PresentationStyle: Sendable, Hashable {
            /// A card that can be swiped down.
            case pageSheet
            /// The whole screen, without a gesture to close it.
            case fullScreen
        }

        /// Light or dark controls around the page.
        public enum ColorScheme: Sendable, Hashable {
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
        public var isBarCollapsingEnabled: Bool?
        /// How the page comes up; nil is `pageSheet`.
        public var presentationStyle: PresentationStyle?
        /// Light or dark controls; the page's own colours are the provider's.
        public var colorScheme: ColorScheme?

        /// Leaves everything to the system.
        public init() {}
    }
#endif
