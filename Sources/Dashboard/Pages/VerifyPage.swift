import CheckoutModel
import CommandKit
import Cryptography
import EventLog
import LedgerViews
import Markup

/// What is known of the log's soundness.
struct Verification: Sendable {
    var runs: [VerificationRun]
    var seals: [SealCard]
    var head: (size: UInt64, root: String)
}

enum VerifyPage {
    static func page(_ verification: Verification, _ view: PageView) -> Page {
        let content: Markup = """
            \(Markup.heading("Verify", """
                Can this record be trusted? What was read again, and what it was held against.
                """))
            <p class="note">A verification shows that the log agrees with itself. Whether it is \
            the log of yesterday, only a head that was kept elsewhere can tell. It does not prove \
            the provider's side: what happened there is not looked at.</p>
            \(action(verification, view))
            <div id="runs" data-live>\(latest(verification))\(runs(verification, view))</div>
            <h2>Head</h2>
            <div class="card">\(Markup.names([
                ("events", "\(count: verification.head.size)"),
                ("root", "<span class=\"id\" data-copy>\(verification.head.root)</span>"),
            ]))</div>
            <h2>Seals</h2>
            \(seals(verification.seals))
            """
        return Page(
            "Verify", section: "/verify", json: "/verify.json", command: view.command("verify"),
            isLive: true, content: content)
    }

    private static func action(_ verification: Verification, _ view: PageView) -> Markup {
        guard let token = view.formToken else { return .empty }
        return """
            <form method="post" action="/actions/verify">\(TimelinePage.token(token))\
            <button class="act">Verify now</button></form>
            """
    }

    /// One word and its mood: sound, not sound, running, could not be done.
    static func verdict(_ run: VerificationRun) -> Markup {
        if let progress = run.progress {
            let share = Wording.percent(
                Int(clamping: progress.done), of: Int(clamping: progress.total))
            return "<span class=\"caution\" data-busy>running, \(share)</span>"
        }
        guard let report = run.report else { return "<span class=\"bad\">not carried out</span>" }
        return report.isSound
            ? report.provenEnd.map(proven) ?? "<span class=\"caution\">agrees with itself</span>"
            : "<span class=\"bad\">\(Wording.count(report.findingCount, "finding"))</span>"
    }

    /// Never plain green without an anchor that was kept elsewhere.
    private static func proven(_ end: UInt64) -> Markup {
        "<span class=\"good\">sound, the first \(count: end) events proven by an anchor</span>"
    }

    private static func latest(_ verification: Verification) -> Markup {
        guard let run = verification.runs.first(where: { $0.report != nil }),
            let report = run.report
        else {
            return """
                <h2>Last verification</h2><p class="note">Never since this program started.</p>
                """
        }
        let since = verification.head.size - min(report.end, verification.head.size)
        let taken =
            run.duration.map { ", took \(Wording.duration(.microseconds($0)))" } ?? ""
        var pairs: [(String, Markup)] = [
            ("result", verdict(run)),
            (
                "when",
                "\(time: run.startedAt)\(taken)"
            ),
            ("covered", "\(count: report.end) events; \(count: since) came after it"),
            ("root", "<span class=\"id\">\(Hex.encode(report.root.bytes))</span>"),
        ]
        pairs += report.coverage.map { ($0.name, "\($0.value)") }
        return """
            <h2>Last verification</h2><div class="card">\(Markup.names(pairs))</div>
            \(findings(report))
            """
    }

    private static func findings(_ report: VerificationReport) -> Markup {
        guard !report.isSound else { return .empty }
        var table = RowTable([.text("Position"), .text("Word"), .text("What is wrong")])
        for finding in report.findings.prefix(Limits.rowsPerPage) {
            table.add([
                finding.position.map { Markup.link(event: $0) } ?? "–",
                "<span class=\"bad\">\(finding.word.rawValue)</span>", "\(finding.message)",
            ])
        }
        let more = report.findingCount - Limits.rowsPerPage
        let rest: Markup? =
            more > 0
            ? "<p class=\"dim\">\(count: more) more; the terminal lists them.</p>" : nil
        return "\(table.markup)\(rest)"
    }

    private static func runs(_ verification: Verification, _ view: PageView) -> Markup {
        guard verification.runs.count > 1 || verification.runs.first?.report == nil,
            !verification.runs.isEmpty
        else { return .empty }
        var table = RowTable([
            .text("Started"), .text("Result"), .number("Events"), .number("Took"), .text("Remark"),
        ])
        for run in verification.runs {
            table.add([
                "\(time: run.startedAt)", verdict(run),
                run.report.map { "\(count: $0.end)" } ?? "–",
                run.duration.map { "\(Wording.duration(.microseconds($0)))" } ?? "–",
                "\(run.failure ?? "")",
            ])
        }
        return "<h2>Runs since this program started</h2>\(table.markup)"
    }

    private static func seals(_ seals: [SealCard]) -> Markup {
        guard !seals.isEmpty else {
            return Markup.nothing(
                "No signed head is known here. Without one that is kept elsewhere, a log that was "
                    + "replaced as a whole looks sound.")
        }
        var table = RowTable([
            .number("Events"), .text("Signed"), .text("Match"), .text("Root"), .text("Kept in"),
        ])
        for seal in seals {
            table.add([
                "\(count: seal.size)", "\(time: seal.signedAt)", match(seal),
                "<span class=\"id\">\(seal.root)</span>", "\(seal.place)",
            ])
        }
        return table.markup
    }

    /// Whether the log still has a seal's root.
    static func match(_ seal: SealCard) -> Markup {
        switch seal.matches {
        case true: "<span class=\"good\">matches the log</span>"
        case false: "<span class=\"bad\">does not match the log</span>"
        case nil: "<span class=\"caution\">not compared</span>"
        }
    }

    static func json(_ verification: Verification) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.field("schema", "verify/1")
            writer.object("head") {
                $0.field("events", verification.head.size)
                $0.field("root", verification.head.root)
            }
            writer.array("runs") { list in
                for run in verification.runs {
                    list.object { object in
                        object.field("startedAt", run.startedAt.iso8601)
                        object.field("microseconds", run.duration)
                        object.field("failure", run.failure)
                        guard let report = run.report else { return }
                        object.field("sound", report.isSound)
                        object.field("anchored", report.provenEnd != nil)
                        report.writeLooks(to: &object)
                        report.writeFindings(to: &object)
                    }
                }
            }
            writer.array("seals") { list in
                for seal in verification.seals {
                    list.object {
                        $0.field("events", seal.size)
                        $0.field("root", seal.root)
                        $0.field("signedAt", seal.signedAt?.iso8601)
                        $0.field("place", seal.place)
                        $0.field("matches", seal.matches)
                    }
                }
            }
        }
        return writer.line()
    }
}
