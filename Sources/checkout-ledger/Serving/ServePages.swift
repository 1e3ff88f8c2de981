import HTTPServer
import LedgerServer

extension ServeRunner {
    /// What stands at `/` and below, behind the gate: the one place where pages are put in.
    func pages(_ endpoints: WebhookEndpoints) -> any WebHandler { AddressPage(endpoints) }
}
