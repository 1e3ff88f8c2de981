import CheckoutLedger
import CheckoutModel
import CommandKit
import ProviderKit

extension PretendReceiver {
    /// Why nothing can be signed for the receiver, and what to do about it.
    var obstacle: Complaint {
        let descriptor = type(of: verifier.provider).descriptor
        let name = descriptor.name
        func cannotSign(_ message: String, _ hint: String) -> Complaint {
            Complaint(code: "CANNOT_SIGN", message: message, hint: hint)
        }
        if !descriptor.certificateHosts.isEmpty {
            return cannotSign(
                "\(name) signs with a certificate that receivers fetch from \(name) alone, so "
                    + "nobody else can sign for it.",
                "Send one from the webhook simulator on \(name)'s pages for developers, or "
                    + "send a stored one as it came: \(Program.name) resend")
        }
        guard descriptor.secretRules.contains(where: { $0.role == .webhookPublicKey }) else {
            return isAboutURL
                ? cannotSign(
                    "A signature of \(name) covers the webhook's URL, which nobody has named.",
                    "Give --url with the URL that the receiver is known by, or set \"publicURL\" "
                        + "of the server in --config.")
                : cannotSign(
                    "With the receiver's secrets nothing of \(name) can be signed here.",
                    "Look whether they are those of its webhooks.")
        }
        // Such as PUB_KEY_ID_…: a message names the key that it is signed with.
        let namesKey = descriptor.resolvesKeys
        guard signingKey != nil else {
            let more = namesKey ? ", and \"publicKeyID\": \"PUB_KEY_ID_TRIAL\"" : ""
            return cannotSign(
                "\(name) signs with its private key; a receiver has only the public half.",
                "Make a pair of your own for trials: openssl genrsa -out trial.key 2048 && openssl "
                    + "rsa -in trial.key -pubout -out trial.pub. Give a receiver for trials "
                    + "\"webhookPublicKeyFile\": \"trial.pub\"\(more), and this command "
                    + "--signing-key trial.key.")
        }
        return cannotSign(
            "What --signing-key signs does not hold with the public key of the receiver.",
            "Both must be halves of one pair: openssl rsa -in trial.key -pubout"
                + (namesKey ? ". The account needs a \"publicKeyID\" too." : ""))
    }

    /// True when it would be believed if only the receiver's URL were known.
    private var isAboutURL: Bool {
        guard url.isEmpty,
            let known = try? PretendReceiver(
                verifier, scope, signingWith: signingKey, knownBy: "https://trial.example/")
        else { return false }
        let trial = try? known.signed(Array("{}".utf8), id: "dlv_trial", at: Instant(seconds: 0))
        return trial != nil
    }
}
