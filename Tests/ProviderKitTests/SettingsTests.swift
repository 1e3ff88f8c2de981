import CheckoutModel
import ProviderKit
import Testing

@Suite("Settings of an account")
struct SettingsTests {
    private func settings(_ json: String) throws -> ProviderSettings {
        guard case .object(let members) = try JSONValue(json: Array(json.utf8)) else {
            return .init()
        }
        return ProviderSettings(mode: .test, members)
    }

    @Test("Settings are read by name and type")
    func reading() throws {
        var settings = try settings(
            #"{"a":"x","b":["y","z"],"c":false,"d":90,"e":null,"f":1}"#)
        #expect(settings.text("a") == "x")
        #expect(settings.texts("b") == ["y", "z"])
        #expect(settings.flag("c") == false)
        #expect(settings.seconds("d") == 90)
        #expect(settings.text("e") == nil)
        #expect(settings.text("absent") == nil)
        #expect(settings.problems.isEmpty)
        #expect(settings.unknownNames == ["f"])
        #expect(settings.mode == .test)
    }

    @Test("Every mistake is kept, each under its name")
    func mistakes() throws {
        var settings = try settings(
            #"{"a":1,"b":["y",2],"c":"yes","d":-1,"e":"","g":1.5}"#)
        #expect(settings.text("a") == nil)
        #expect(settings.texts("b") == nil)
        #expect(settings.flag("c") == nil)
        #expect(settings.seconds("d") == nil)
        #expect(settings.requiredText("e") == "")
        #expect(settings.requiredText("f") == "")
        #expect(settings.seconds("g") == nil)
        #expect(settings.problems.map(\.field) == ["a", "b", "c", "d", "e", "f", "g"])
    }

    @Test("An adapter is made from settings, or all its mistakes are thrown")
    func configured() throws {
        var good = try settings("{}")
        _ = try SampleReceiver.configured(by: &good)
    }
}
