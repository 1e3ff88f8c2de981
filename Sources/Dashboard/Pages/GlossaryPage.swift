import CommandKit
import LedgerViews
import Markup

enum GlossaryPage {
    static func page(_ view: PageView) -> Page {
        let entries = Vocabulary.entries.map { word, meaning -> Markup in
            """
            <dt id="\(word)"><strong>\(word)</strong></dt>\
            <dd>\(meaning.joined(separator: " "))</dd>
            """
        }
        let content: Markup = """
            \(Markup.heading("Glossary", """
                One word, one meaning; the same here, in the terminal and in the code.
                """))
            <div class="card"><dl class="names">\(entries)</dl></div>
            """
        return Page(
            "Glossary", section: "/glossary", json: "/glossary.json",
            command: view.command("help", "glossary"), content: content)
    }

    static func json() -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.field("schema", "glossary/1")
            writer.object("words") { object in
                for (word, meaning) in Vocabulary.entries {
                    object.field(word, meaning.joined(separator: " "))
                }
            }
        }
        return writer.line()
    }
}
