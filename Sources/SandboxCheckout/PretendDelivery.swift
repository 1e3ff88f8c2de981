package import CheckoutModel
import Cryptography
package import ProviderKit

/// One webhook on its way to the shop, with what became of it.
package struct PretendDelivery: Sendable, Hashable {
    /// Where it stands.
    package enum State: String, Sendable, CaseIterable {
        /// Due at some time.
        case waiting
        /// Sent, no answer yet.
        case underWay = "under_way"
        /// Accepted by the shop.
        case delivered
        /// Refused until the last attempt.
        case givenUp = "given_up"
        /// Lost on purpose.
        case lost
        /// There is no endpoint to send it to.
        case unaddressed
    }

    /// One attempt and its end.
    package struct Attempt: Sendable, Hashable {
        package let at: Instant
        /// The status of the answer; nil when there was none, or the attempt was lost on purpose.
        package let status: Int?
        package let isLostOnPurpose: Bool
    }

    /// The webhook's id: the same in every attempt.
    package let id: String
    package let type: String
    package let checkout: String
    /// The exact bytes of every attempt.
    package let body: [UInt8]
    package internal(set) var state: State
    /// When it is sent next; nil when it is not.
    package internal(set) var due: Instant?
    package internal(set) var attempts: [Attempt] = []
    /// True once an answer was 2xx, whatever came of copies sent later.
    package internal(set) var wasAccepted = false
    /// How many attempts failed since the last one that was asked for by a person.
    var failures = 0
    /// Extra copies that are still to come.
    var copies: Int
}

/// A webhook that is to be sent now.
package struct DeliveryAttempt: Sendable, Hashable {
    /// The delivery that it belongs to.
    package let delivery: String
    /// Names, time and signature.
    package let headers: HeaderList
    package let body: [UInt8]
}

/// Signs as the Standard Webhooks scheme wants it.
enum WebhookSigner {
    static func headers(
        id: String, at now: Instant, body: [UInt8], key: [UInt8]
    ) -> HeaderList {
        let time = "\(now.seconds)"
        let code = HMACKey(sha256: key).authenticate(Array("\(id).\(time).".utf8), body)
        return [
            "Content-Type": "application/json", StandardWebhooks.idHeader: id,
            StandardWebhooks.timestampHeader: time,
            StandardWebhooks.signatureHeader: "v1,\(Base64.encode(code))",
        ]
    }
}
