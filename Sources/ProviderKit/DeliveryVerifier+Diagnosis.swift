public import CheckoutModel
import Cryptography

extension DeliveryVerifier {
    /// Names the likely cause of a refusal by trying the usual mistakes.
    ///
    /// Computes some dozens of codes over the body: for a person at a terminal, not for each
    /// refusal of a public endpoint. Nil where the refusal says everything.
    public func diagnosis(
        of delivery: WebhookDelivery, refusedBy rejection: WebhookRejection, at now: Instant
    ) -> WebhookDiagnosis? {
        guard delivery.body.count <= Limits.bodyBytes else { return nil }
        switch rejection {
        case .timestampTooOld, .timestampTooNew:
            guard holds(delivery, secrets) else { return WebhookDiagnosis(.replayOrForgery) }
            return WebhookDiagnosis(
                .clock, ageSeconds: signedAt(delivery).map { now.seconds - $0.seconds })
        case .missingHeader(let name):
            guard let other = delivery.headers.name(like: name) else {
                return WebhookDiagnosis(.headerLost, headerName: name)
            }
            return WebhookDiagnosis(.wrongHeader, headerName: other)
        case .ambiguousHeader(let name), .malformedHeader(let name):
            return WebhookDiagnosis(.headerLost, headerName: name)
        case .signatureMismatch, .unsupportedScheme: return mismatch(delivery)
        default: return nil
        }
    }

    private func mismatch(_ delivery: WebhookDelivery) -> WebhookDiagnosis {
        usualMistakes(of: delivery).lazy.compactMap { $0.find() }.first
            ?? WebhookDiagnosis(.wrongSecret)
    }

    /// What usually goes wrong, in the order in which it is looked for: a few words for a person,
    /// and the search.
    func usualMistakes(
        of delivery: WebhookDelivery
    ) -> [(name: String, find: () -> WebhookDiagnosis?)] {
        func found(_ cause: WebhookDiagnosis.Cause, _ holds: Bool) -> WebhookDiagnosis? {
            holds ? WebhookDiagnosis(cause) : nil
        }
        return [
            (
                "secret in another encoding",
                { found(.secretEncoding, holds(delivery, secrets.inOtherEncodings)) }
            ),
            ("other line ends", { found(.lineEnds, holds(anyOf: delivery.lineEndVariants)) }),
            (
                "JSON in another style",
                { found(.bodyReencoded, holds(anyOf: delivery.jsonVariants)) }
            ),
            ("signature in another form", { signatureInAnotherForm(delivery) }),
            ("body signed alone", { found(.bodyAloneSigned, isBodyAloneSigned(delivery)) }),
        ]
    }

    /// True when the delivery holds as it is, whatever its time.
    func holdsAsReceived(_ delivery: WebhookDelivery) -> Bool { holds(delivery, secrets) }

    private func signatureInAnotherForm(_ delivery: WebhookDelivery) -> WebhookDiagnosis? {
        let candidates = ((try? provider.plans(for: delivery)) ?? []).flatMap(\.anyOf)
        for candidate in candidates where candidate.algorithm == .hmacSHA256 {
            guard case .secret(let role) = candidate.keys else { continue }
            for key in secrets.keys(role) {
                let code = key.hmac.authenticate(candidate.signed)
                if let name = delivery.headers.name(holding: code) {
                    return WebhookDiagnosis(.signatureForm, headerName: name)
                }
            }
        }
        return nil
    }

    private func isBodyAloneSigned(_ delivery: WebhookDelivery) -> Bool {
        secrets.roles.flatMap(secrets.keys).contains { key in
            delivery.headers.name(holding: key.hmac.authenticate(delivery.body)) != nil
        }
    }

    private func holds(_ delivery: WebhookDelivery, _ secrets: SecretSet) -> Bool {
        guard let plans = try? provider.plans(for: delivery), !plans.isEmpty else { return false }
        return plans.allSatisfy { $0.match(secrets) != nil }
    }

    private func holds(anyOf variants: [WebhookDelivery]) -> Bool {
        variants.contains { holds($0, secrets) }
    }

    private func signedAt(_ delivery: WebhookDelivery) -> Instant? {
        guard let time = (try? provider.plans(for: delivery))?.first?.time,
            case .at(let instant) = time.signedAt
        else { return nil }
        return instant
    }
}

extension SecretSet {
    /// The same texts read as whole text, as text behind the prefix, as base64 and as hexadecimal.
    fileprivate var inOtherEncodings: SecretSet {
        var byRole: [SecretRole: [SecretKey]] = [:]
        for role in roles where role != .webhookPublicKey {
            byRole[role] = keys(role).flatMap { key in key.inOtherEncodings(role: role) }
        }
        return SecretSet(unchecked: byRole)
    }
}

extension SecretKey {
    fileprivate func inOtherEncodings(role: SecretRole) -> [SecretKey] {
        let parts = text.split(separator: "_", maxSplits: 1)
        let rest = parts.count == 2 ? String(parts[1]) : text
        let readings: [[UInt8]?] = [
            Array(text.utf8), Array(rest.utf8),
            Base64.decode(rest, padding: .optional, canonical: false),
            Hex.decode(rest, accepting: .any),
        ]
        return readings.compactMap { $0 }.filter { $0 != bytes }.compactMap {
            try? SecretKey(
                text: text, bytes: $0, index: index, rule: SecretRule(role: role, encoding: .utf8))
        }
    }
}

extension WebhookDelivery {
    fileprivate func with(body: [UInt8]) -> WebhookDelivery {
        WebhookDelivery(
            method: method, configuredURL: configuredURL, headers: headers, body: body)
    }

    /// The body with its last line end, its kind of line ends or its byte order mark changed.
    fileprivate var lineEndVariants: [WebhookDelivery] {
        let lf = UInt8(ascii: "\n")
        let cr = UInt8(ascii: "\r")
        var trimmed = body[...]
        while trimmed.last == lf || trimmed.last == cr { trimmed.removeLast() }
        let onlyLF = body.filter { $0 != cr }
        let crlf = onlyLF.flatMap { $0 == lf ? [cr, lf] : [$0] }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let unmarked = body.starts(with: mark) ? Array(body.dropFirst(3)) : mark + body
        return [
            Array(trimmed), trimmed + [lf], trimmed + [cr, lf], onlyLF, crlf, unmarked,
        ].map(with(body:))
    }

    /// The body's JSON in the styles that libraries write.
    fileprivate var jsonVariants: [WebhookDelivery] {
        guard let value = try? JSONValue(json: body) else { return [] }
        return JSONStyle.allCases.map { with(body: value.json($0)) }
    }
}

extension HeaderList {
    /// A header that is called nearly so, as gateways and other senders rename them.
    fileprivate func name(like name: String) -> String? {
        let tail = name.split(separator: "-").last.map(String.init) ?? name
        return fields.map(\.name).first { other in
            let other = other.lowercased()
            return other != name.lowercased()
                && (other.replacing("_", with: "-").hasSuffix(name.lowercased())
                    || other == "svix-\(tail.lowercased())")
        }
    }

    /// The header in which a code stands in any of its usual written forms.
    fileprivate func name(holding code: [UInt8]) -> String? {
        let forms = [
            Hex.encode(code), Hex.encode(code, letters: .upper), Base64.encode(code),
            Base64.encode(code, alphabet: .urlSafe, padded: false),
        ]
        return fields.first { field in forms.contains { field.value.contains($0) } }?.name
    }
}
