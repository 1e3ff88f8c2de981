import CheckoutLedger
import CheckoutModel
import ProviderKit
import Testing

@Suite("Event lines")
struct EventLineTests {
    @Test(
        "An event's own line is the same event, whatever was empty in the line it came from",
        arguments: [
            #""id":"""#, #""deliveryID":"""#, #""account":"","id":"""#, #""reason":"","actor":"""#,
            #""payment":"","id":"evt_1""#, #""id":null,"occurredAt":"""#,
        ])
    func emptyMembers(_ members: String) throws {
        let line = #"{"type":"payment.succeeded","provider":"dodo","session":"cks_2",\#(members)}"#
        let entry = try EventLine.entry(Array(line.utf8))
        let written = JSONValue.object(EventLine.fields(entry.event)).json
        let again = try EventLine.entry(written)
        #expect(again.event == entry.event)
        #expect(entry.event.deliveryID?.isEmpty == false)
    }
}
