package import EventLog

/// What a child process of the crash tests appends, and how each of it is recognised again.
///
/// A batch is three events of one stream, the later two caused by the first. Its dedupe hashes
/// name caller, batch and member, so that the parent can tell from the log alone which batches are
/// there, whole or half. Streams are shared by all callers of all processes.
package struct CrashBatch: Hashable, Sendable {
    package static let members = 3
    package let caller: Int
    package let number: Int

    package init(caller: Int, number: Int) {
        self.caller = caller
        self.number = number
    }

    /// The batch and the member that a dedupe hash names.
    package init(_ hash: DedupeHash) {
        caller = Int(hash.value >> 40)
        number = Int(hash.value >> 8 & 0xFFFF_FFFF)
    }

    package func hash(_ member: Int) -> UInt128 {
        UInt128(caller) << 40 | UInt128(number) << 8 | UInt128(member + 1)
    }

    package static func member(of hash: DedupeHash) -> Int { Int(hash.value & 0xFF) - 1 }

    package var request: AppendRequest {
        let type: UInt16 =
            number % 5 == 0
            ? TallySchema.opened : number % 5 == 4 ? TallySchema.closed : TallySchema.added
        let drafts = (0..<Self.members).map { member in
            Tally.draft(
                member == 2 ? type : TallySchema.added, amount: Int64(number), dedupe: hash(member),
                cause: member == 0 ? .none : .member(0),
                payload: Array(repeating: UInt8(member), count: 40 * member))
        }
        return AppendRequest(
            identities: [Tally.joins("s\(number % 17)"), Tally.finds("all")], drafts: drafts)
    }
}

/// How a child seals, and how it tells which seals it published.
package enum CrashSeal {
    package static let signer: NoteSigner = {
        let seed = [UInt8](repeating: 9, count: 32)
        guard let text = NoteSigner.text(name: "crash", kind: .ed25519, seed: seed),
            let signer = NoteSigner(text)
        else { preconditionFailure("the name is a name") }
        return signer
    }()

    /// Size and root, one seal a line.
    package static func line(_ seal: Seal) -> String {
        "\(seal.head.size) \(seal.head.root)\n"
    }
}
