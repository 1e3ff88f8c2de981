import CheckoutModel
import Cryptography
import ProviderKit
import Testing

@Suite("Diagnosis of refused deliveries")
struct WebhookDiagnosisTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let id: String
        let delivery: WebhookDelivery
        var now = SampleReceiver.now
        let cause: WebhookDiagnosis.Cause
        var testDescription: String { id }
    }

    private static let body = Array(SampleReceiver.body.utf8)
    private static let right = SampleReceiver.code(body)
    private static let headers = SampleReceiver.delivery().headers.fields

    private static func signed(_ body: String, sent: String) -> WebhookDelivery {
        SampleReceiver.delivery(Array(body.utf8)).with(body: Array(sent.utf8))
    }

    private static func renamed(_ name: String, _ other: String) -> WebhookDelivery {
        SampleReceiver.delivery().with(
            headers: headers.map { field in
                field.name == name ? .init(name: other, value: field.value) : field
            })
    }

    static let cases: [Case] = [
        Case(
            id: "secret taken as text",
            delivery: SampleReceiver.delivery(
                signature: "v1,"
                    + Base64.encode(
                        SampleReceiver.code(body, key: Array(SampleReceiver.secret.utf8)))),
            cause: .secretEncoding),
        Case(
            id: "line end lost", delivery: signed("{\"a\":1}\r\n", sent: "{\"a\":1}"),
            cause: .lineEnds),
        Case(
            id: "line end added", delivery: signed("{\"a\":1}", sent: "{\"a\":1}\n"),
            cause: .lineEnds),
        Case(
            id: "line ends converted", delivery: signed("{\r\n\"a\":1}", sent: "{\n\"a\":1}"),
            cause: .lineEnds),
        Case(
            id: "blanks added", delivery: signed(#"{"a":[1,"é/"]}"#, sent: #"{"a": [1, "é/"]}"#),
            cause: .bodyReencoded),
        Case(
            id: "blanks lost", delivery: signed(#"{"a": [1, "é/"]}"#, sent: #"{"a":[1,"é/"]}"#),
            cause: .bodyReencoded),
        Case(
            id: "letters unescaped",
            delivery: signed(#"{"a":"\u00e9 \ud83c\udf81"}"#, sent: #"{"a":"é 🎁"}"#),
            cause: .bodyReencoded),
        Case(
            id: "slashes unescaped", delivery: signed(#"{"a":"x\/y"}"#, sent: #"{"a":"x/y"}"#),
            cause: .bodyReencoded),
        Case(
            id: "hexadecimal",
            delivery: SampleReceiver.delivery(signature: "v1,\(Hex.encode(right))"),
            cause: .signatureForm),
        Case(
            id: "no version", delivery: SampleReceiver.delivery(signature: Base64.encode(right)),
            cause: .signatureForm),
        Case(
            id: "body alone",
            delivery: SampleReceiver.delivery(
                signature: "v1,"
                    + Base64.encode(HMACKey(sha256: SampleReceiver.key).authenticate(body))),
            cause: .bodyAloneSigned),
        Case(
            id: "another secret",
            delivery: SampleReceiver.delivery(
                signature: "v1,"
                    + Base64.encode(SampleReceiver.code(body, key: Array(32..<64)))),
            cause: .wrongSecret),
        Case(
            id: "clock", delivery: SampleReceiver.delivery(),
            now: Instant(seconds: SampleReceiver.now.seconds + 7_200), cause: .clock),
        Case(
            id: "old and unsigned", delivery: SampleReceiver.delivery(signature: "v1,AAAA"),
            now: Instant(seconds: SampleReceiver.now.seconds + 7_200), cause: .replayOrForgery),
        Case(
            id: "header renamed", delivery: renamed("webhook-id", "svix-id"), cause: .wrongHeader),
        Case(
            id: "header prefixed", delivery: renamed("webhook-id", "HTTP_WEBHOOK_ID"),
            cause: .wrongHeader),
        Case(id: "header lost", delivery: renamed("webhook-id", "x-other"), cause: .headerLost),
    ]

    @Test("A refused delivery's likely cause is named, and it stays refused", arguments: cases)
    func cause(_ item: Case) throws {
        let verifier = try SampleReceiver.verifier()
        do throws(WebhookRejection) {
            _ = try verifier.verify(item.delivery, at: item.now)
            Issue.record("accepted")
        } catch {
            let diagnosis = verifier.diagnosis(
                of: item.delivery, refusedBy: error, at: item.now)
            #expect(diagnosis?.cause == item.cause)
            #expect(diagnosis.map { !$0.message.isEmpty && !$0.hint.isEmpty } == true)
        }
    }

    @Test("A wrong clock is named with its distance")
    func distance() throws {
        let verifier = try SampleReceiver.verifier()
        let now = Instant(seconds: SampleReceiver.now.seconds - 400)
        let diagnosis = verifier.diagnosis(
            of: SampleReceiver.delivery(), refusedBy: .timestampTooNew, at: now)
        #expect(diagnosis?.ageSeconds == -400)
    }
}
