import CheckoutModel
import ProviderKit

/// Every word of Alipay's that decides anything, and what it means here.
///
/// The one place to look.
enum StatusMapping {
    /// What a `trade_status` says.
    enum Meaning: Sendable, Hashable {
        case status(CheckoutStatus)
        /// Never paid and out of time, or paid and given back whole: the times and amounts in the
        /// message tell.
        case closed
    }

    /// `trade_status`; nil for words we do not know.
    ///
    /// Source: smartwalle/alipay, trade_type.go.
    static func trade(_ word: String) -> Meaning? {
        switch word {
        case "WAIT_BUYER_PAY": .status(.pending)
        // Finished: paid, and too late for refunds.
        case "TRADE_SUCCESS", "TRADE_FINISHED": .status(.succeeded)
        case "TRADE_CLOSED": .closed
        default: nil
        }
    }

    /// What a gateway's answer with this code, and `sub_code` where there is one, is; nil = it
    /// holds a trade.
    ///
    /// Source: smartwalle/alipay, alipay_type.go (codes). From memory, not verified: sub codes.
    static func fault(code: String, sub: String?) -> Fault? {
        switch (code, sub) {
        case ("10000", _): nil
        case ("20000", _), ("40004", "ACQ.SYSTEM_ERROR"): .nothing(.providerTrouble)
        case ("20001", _), ("40006", _): .unauthorized
        case ("40002", "isv.invalid-signature"), ("40002", "isv.invalid-app-id"): .unauthorized
        case ("40004", "ACQ.TRADE_NOT_EXIST"): .nothing(.notFound)
        case ("40001", _), ("40002", _): .refused
        default: .nothing(.unexpectedStatus)
        }
    }

    /// Why an answer tells nothing of a trade.
    enum Fault: Sendable, Hashable {
        case nothing(IndeterminateReason)
        case unauthorized
        case refused
    }
}
