import CheckoutModel
import DodoPayments
import ProviderKit
import Stripe

/// Reads any bytes as a return URL and as a checkout URL.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
    checkReturn(bytes)
    checkCheckoutURL(bytes)
    return 0
}

/// What is looked up once: adapters and patterns of the kinds an app registers.
private struct Setting: Sendable {
    let dodo: DodoPaymentsProvider
    let stripe: StripeProvider
    let patterns: [ReturnURLPattern]

    static let shared = make()

    private static func make() -> Setting {
        do {
            return Setting(
                dodo: try DodoPaymentsProvider(), stripe: try StripeProvider(),
                patterns: try [
                    "shopdemo://checkout/return", "https://shop.example/checkout/return",
                    "https://shop.example:8443/a%2Fb/", "app://user@b\u{FC}cher.example",
                ].map { try ReturnURLPattern(registered: $0) })
        } catch {
            fatalError("the fixed setting is refused: \(error)")
        }
    }

    var vocabularies: [ReturnVocabulary] { [dodo.returnVocabulary, stripe.returnVocabulary] }
}

private func checkReturn(_ bytes: [UInt8]) {
    let text = String(validating: bytes, as: UTF8.self)
    let url: ReturnURL
    do throws(URLTextError) {
        url = try ReturnURL(parsing: bytes)
    } catch {
        checkRefused(text, error)
        return
    }
    require(url.bytes == bytes, "the text is kept byte for byte")
    checkParameters(url, bytes)
    for vocabulary in Setting.shared.vocabularies {
        let reading = vocabulary.read(url)
        require(
            reading.flags.isEmpty || reading.statusWord != nil || reading.status == .pending,
            "what is in doubt is pending")
        require(
            !reading.flags.isStatusConflicting || reading.status == .pending,
            "two status words are pending")
        require(reading.licenseKeys.allSatisfy { !$0.isEmpty }, "no licence key is empty")
        _ = (reading.ids, reading.customerEmail, reading.flags.codes)
    }
    guard let text else { return }
    checkText(text, url)
}

/// A text and its bytes are refused for the same reason, whoever reads them.
private func checkRefused(_ text: String?, _ error: URLTextError) {
    guard let text else { return }
    do throws(URLTextError) {
        _ = try ReturnURL(parsing: text)
        fatalError("the text is read where its bytes are not")
    } catch let other {
        require(other == error, "the text is refused for the reason its bytes are")
    }
    for pattern in Setting.shared.patterns {
        require(pattern.match(text) == .unreadable(error), "what is no URL does not match")
        for vocabulary in Setting.shared.vocabularies {
            require(pattern.recognise(text, with: vocabulary) == nil, "nor is it recognised")
        }
    }
}

private func checkText(_ text: String, _ url: ReturnURL) {
    guard let again = try? ReturnURL(parsing: text) else {
        fatalError("the bytes are read where their text is not")
    }
    require(
        again.parameters.map(\.rawName) == url.parameters.map(\.rawName)
            && again.parameters.map(\.valueBytes) == url.parameters.map(\.valueBytes)
            && again.host == url.host && again.port == url.port && again.path == url.path,
        "the text is read as its bytes are")
    var patterns = Setting.shared.patterns
    if let own = try? ReturnURLPattern(registered: text) {
        require(own.match(url).isMatch, "a registered URL matches itself")
        patterns.append(own)
    }
    for pattern in patterns {
        let match = pattern.match(url)
        require(pattern.match(text) == match, "a text matches as the URL does")
        for vocabulary in Setting.shared.vocabularies {
            let status = match.isMatch ? vocabulary.read(url).status : nil
            require(
                pattern.recognise(text, with: vocabulary) == status,
                "recognising gives what matching and reading give")
        }
    }
    for session in [nil, "cks_1"] {
        let request = ReturnRequest(url: url, landing: .cancel, expectedSession: session)
        _ = try? Setting.shared.dodo.parseReturn(request)
        _ = try? Setting.shared.stripe.parseReturn(request)
    }
}

/// The parameters are the query cut at `&`, with nothing lost and everything decoded once.
private func checkParameters(_ url: ReturnURL, _ bytes: [UInt8]) {
    let beforeFragment = bytes.prefix { $0 != UInt8(ascii: "#") }
    let query = beforeFragment.firstIndex(of: UInt8(ascii: "?")).map { beforeFragment[($0 + 1)...] }
    require((url.query == nil) == (query == nil), "a query is there or not")
    let pieces = (query ?? []).split(separator: UInt8(ascii: "&")).map(Array.init)
    let list = url.parameters
    require(list.count == pieces.count, "each piece is a parameter")
    for (parameter, piece) in zip(list, pieces) {
        let sign: [UInt8] = parameter.hasEqualsSign ? [UInt8(ascii: "=")] : []
        require(parameter.rawName + sign + parameter.rawValue == piece, "no byte is lost")
        require(!parameter.rawName.contains(UInt8(ascii: "=")), "the first = ends the name")
        require(parameter.nameBytes == decoded(parameter.rawName), "a name is decoded once")
        require(parameter.valueBytes == decoded(parameter.rawValue), "a value is decoded once")
    }
    var index = 0
    list.forEachText { name, value in
        require(list[index].name == name && list[index].value == value, "both ways agree")
        index += 1
    }
    require(index == list.count, "every parameter is lent")
    if let first = list.first, String(validating: first.nameBytes, as: UTF8.self) != nil {
        require(list.first(named: first.name)?.rawValue == first.rawValue, "the first is found")
        require(list.values(named: first.name).first == first.value, "and so is its value")
        _ = list.uniqueValue(named: first.name)
    }
}

/// The rule in its plainest form: all escapes are sound and decoded, or nothing is.
private func decoded(_ raw: [UInt8]) -> [UInt8] {
    func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
    }
    var result: [UInt8] = []
    var index = 0
    while index < raw.count {
        if raw[index] == UInt8(ascii: "%") {
            guard index + 2 < raw.count, let high = digit(raw[index + 1]),
                let low = digit(raw[index + 2])
            else { return raw }
            result.append(high << 4 | low)
            index += 3
        } else {
            result.append(raw[index])
            index += 1
        }
    }
    return result
}

private func checkCheckoutURL(_ bytes: [UInt8]) {
    let rules = Setting.shared.dodo.checkoutURLRules + Setting.shared.stripe.checkoutURLRules
    for rule in rules {
        guard let page = try? rule.read(bytes: bytes) else { continue }
        require(!page.sessionID.isEmpty, "a session has an id")
        require(rule.hosts.contains(page.url.host?.lowercased() ?? ""), "the host is listed")
        require(page.url.userInfo == nil, "no name stands before the host")
        let canonical = page.canonicalText
        require(canonical.hasPrefix("https://"), "only https is opened")
        require(canonical.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "it is plain ASCII")
        guard let again = try? rule.read(canonical) else {
            fatalError("the canonical text of a page is refused")
        }
        require(again.sessionID == page.sessionID && again.mode == page.mode, "it is the same page")
        require(again.canonicalText == canonical, "and already canonical")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { return }
    for provider in [Setting.shared.dodo, Setting.shared.stripe] as [any PaymentProvider] {
        _ = provider.recognise(checkoutURL: text)
    }
}

/// `precondition` would say nothing in an optimised build.
private func require(_ holds: Bool, _ rule: StaticString) {
    if !holds { fatalError("broken: \(rule)") }
}
