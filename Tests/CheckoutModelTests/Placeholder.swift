// CheckoutModel
