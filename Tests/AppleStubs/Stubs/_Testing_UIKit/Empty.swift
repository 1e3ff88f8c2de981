// Stand-ins: Apple documents what they mean.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Swift Testing wants a module of this name where UIKit is imported beside it.
