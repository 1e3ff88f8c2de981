#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The ada URL parser with its search parameters, where `./run bench` was told its source.
///
/// Loaded at run time: it is C++ that nobody else needs, and no system ships it.
struct AdaPeer {
    private typealias Reader = @convention(c) (UnsafePointer<CChar>, Int) -> Int
    private let read: Reader

    /// Nil when `CHECKOUT_LEDGER_ADA_LIBRARY` names no library.
    init?() {
        guard let path = getenv("CHECKOUT_LEDGER_ADA_LIBRARY"),
            let library = dlopen(path, RTLD_NOW),
            let symbol = dlsym(library, "checkout_ledger_ada_parameters")
        else { return nil }
        read = unsafeBitCast(symbol, to: Reader.self)
    }

    /// How many parameters the URL has; 0 when it is not read.
    func parameterCount(of text: String) -> Int {
        var text = text
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                characters.baseAddress.map { read($0, characters.count) } ?? 0
            }
        }
    }
}
