// CheckoutLedger
