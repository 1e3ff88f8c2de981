package import CommandKit
import Cryptography
package import EventLog

extension VerificationReport {
    /// Writes how much was looked at, and what it was held against.
    package func writeLooks(to writer: inout JSONWriter) {
        writer.field("events", end)
        writer.field("provenEvents", provenEnd)
        writer.field("streams", streams)
        writer.field("nodes", nodes)
        writer.field("blocks", blocks)
        writer.field("identities", identities)
        writer.field("rows", rows)
        writer.field("rowsCompared", comparedRows)
        writer.field("seals", seals)
        writer.field("signedSeals", signedSeals)
        writer.field("sealedEvents", sealedEnd)
        writer.field("root", Hex.encode(root.bytes))
        writer.array("anchors") { list in
            for compared in anchors {
                list.object {
                    $0.field("file", compared.anchor.name)
                    $0.field("outside", compared.anchor.isOutside)
                    $0.field("size", compared.anchor.size)
                    $0.field("word", compared.word?.rawValue)
                }
            }
        }
    }

    /// Writes what is wrong.
    package func writeFindings(to writer: inout JSONWriter) {
        writer.field("findingCount", findingCount)
        writer.array("findings") { list in
            for finding in findings {
                list.object {
                    $0.field("word", finding.word.rawValue)
                    $0.field("position", finding.position)
                    $0.field("message", finding.message)
                }
            }
        }
    }

    /// What was looked at and how much of it there is, as a person reads it.
    package var coverage: [(name: String, value: String)] {
        [
            ("every record re-read and re-hashed", number(end, "event")),
            ("chains and revisions without gaps", number(streams, "stream")),
            ("Merkle frontier and nodes", number(nodes, "hash", "hashes")),
            ("ids lead to their streams", number(identities, "id")),
            ("block summaries", number(blocks, "block")),
            (
                "projections equal to a fresh fold",
                comparedRows ? number(rows, "row") : "not compared: records are damaged"
            ),
            (
                "stored seals",
                number(seals, "seal") + ", \(signedSeals) signed by a known key"
                    + (sealedEnd < end ? "; \(number(end - sealedEnd, "event")) unsealed" : "")
            ),
            ("outside anchors", sizes { $0.isOutside }),
            ("own last seal", sizes { !$0.isOutside }),
            ("not checked", "the provider's side, users' own projections"),
        ]
    }

    private func number(_ value: UInt64, _ one: String, _ many: String? = nil) -> String {
        Wording.count(Int(clamping: value), one, many)
    }

    /// `2, of 1,024 to 4,096 events`.
    private func sizes(_ isWanted: (Anchor) -> Bool) -> String {
        let sizes = anchors.map(\.anchor).filter(isWanted).map(\.size)
        guard let oldest = sizes.first, let newest = sizes.last else { return "none" }
        let range =
            oldest == newest
            ? number(newest, "event")
            : "\(Wording.grouped(Int(clamping: oldest))) to " + number(newest, "event")
        return "\(sizes.count), of \(range)"
    }
}
