/// The flow's types under names that a module with types of the same names can reach: the class has
/// the module's name, so `CheckoutFlow.CheckoutResult` cannot be written.
extension CheckoutFlow {
    /// How a checkout ended.
    public typealias RunResult = CheckoutResult
    /// Why a checkout did not run.
    public typealias RunError = CheckoutError
}
