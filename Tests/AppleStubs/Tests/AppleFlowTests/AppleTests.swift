import Testing

/// The application object is one for all, so these run one after another.
@Suite("On the phone", .serialized)
enum AppleTests {}
