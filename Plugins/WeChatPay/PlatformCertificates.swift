public import CheckoutModel
public import ProviderKit

/// `GET /v3/certificates`: the platform certificates in use, each sealed under the APIv3 key.
///
/// The seal proves that they are WeChat's for this merchant, so the first list needs no signature
/// that could not be checked yet. Source: wechatpay-go, core/downloader/downloader.go.
extension WeChatPayProvider: KeyPublishing {
    /// Plans the request for the list.
    public func keysRequest(
        secrets: SecretSet, now: Instant, nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        try request("GET", "/v3/certificates", secrets: secrets, now: now, nonce: nonce)
    }

    /// Opens every certificate; one that does not open makes the whole list unreadable.
    ///
    /// The serial number stands beside the seal, not under it: at worst one genuine certificate of
    /// WeChat's is taken for another.
    public func interpretKeys(
        _ reply: HTTPReply, secrets: SecretSet
    ) throws(ProviderReplyError) -> [PublishedKey] {
        let listed = try reply.createdObject().objects("data")
        var keys: [PublishedKey] = []
        for item in listed {
            guard let serial = item.note("serial_no"),
                let request = PlatformKey.request(serial: serial),
                let sealed = ((try? item.object("encrypt_certificate")) ?? nil)?.sealed,
                let bytes = secrets.open(sealed),
                let pem = String(validating: bytes, as: UTF8.self)
            else { throw .unreadable }
            keys.append(
                PublishedKey(
                    request: request, pem: pem, validFrom: item.time("effective_time"),
                    validUntil: item.time("expire_time")))
        }
        guard !keys.isEmpty else { throw .unreadable }
        return keys
    }
}
