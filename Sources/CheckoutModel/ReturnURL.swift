/// A URL that came back from a checkout, read once and kept whole.
///
/// Reading takes one pass and one allocation; strings are made when they are asked for. Any bytes
/// can be read: what is not a URL is an error, and damage in one parameter stays in that parameter.
/// What the parameters *mean* is `ReturnVocabulary`'s affair, whether the URL is ours
/// `ReturnURLPattern`'s. Nothing in it proves anything: whoever can open the app's URL can write
/// one.
public struct ReturnURL: Sendable {
    let storage: ReturnURLStorage

    /// Reads a URL out of text.
    ///
    /// The scheme is required; an authority is not, and the fragment is never read. Throws
    /// `not_a_url`, `malformed_host`, `malformed_port`, `url_too_long`, `url_too_many_parameters`.
    public init(parsing text: String) throws(URLTextError) {
        // A concrete String, borrowed: through a protocol every step costs a dynamic call.
        var failure: URLTextError?
        var found = text.utf8.withContiguousStorageIfAvailable { Self.read($0, &failure) } ?? nil
        if found == nil, failure == nil {
            found = Array(text.utf8).withUnsafeBufferPointer { Self.read($0, &failure) }
        }
        guard let found else { throw failure ?? URLTextError(.notAURL) }
        storage = found
    }

    /// The same out of bytes that need not be UTF-8.
    public init(parsing bytes: [UInt8]) throws(URLTextError) {
        var failure: URLTextError?
        guard let storage = bytes.withUnsafeBufferPointer({ Self.read($0, &failure) }) else {
            throw failure ?? URLTextError(.notAURL)
        }
        self.storage = storage
    }

    /// The same out of borrowed bytes; they are copied.
    package init(parsing bytes: UnsafeBufferPointer<UInt8>) throws(URLTextError) {
        storage = try ReturnURLStorage.make(bytes)
    }

    /// Nil with the error put aside: the standard library's borrows pass on no typed errors.
    @inline(__always)
    private static func read(
        _ bytes: UnsafeBufferPointer<UInt8>, _ failure: inout URLTextError?
    ) -> ReturnURLStorage? {
        do throws(URLTextError) {
            return try ReturnURLStorage.make(bytes)
        } catch {
            failure = error
            return nil
        }
    }

    /// The whole text as it came, with what is not UTF-8 repaired.
    public var text: String { storage.text(0..<storage.header.textCount) }

    /// The whole text as it came, byte for byte.
    public var bytes: [UInt8] { storage.bytes(0..<storage.header.textCount) }

    /// As written; compare it without case.
    public var scheme: String { storage.text(storage.header.parts.scheme) }

    /// As written, IPv6 in its brackets; nil without `//`.
    public var host: String? {
        let parts = storage.header.parts
        return parts.hasAuthority ? storage.text(parts.host) : nil
    }

    /// Nil when none is written.
    public var port: UInt16? { storage.header.parts.port }

    /// The path as written, escapes and all.
    public var path: String { storage.text(storage.header.parts.path) }

    /// The query as written, without `?` and fragment; nil when there is none.
    public var query: String? { storage.header.parts.query.map(storage.text) }

    /// The parameters in order, duplicates and empty values kept.
    public var parameters: ParameterList { ParameterList(storage: storage) }
}
