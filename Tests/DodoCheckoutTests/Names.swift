@testable import DodoCheckout

// The flow has types of the same names, so the files that see both say which they mean.
typealias FacadeResult = CheckoutResult
typealias FacadeError = CheckoutError
