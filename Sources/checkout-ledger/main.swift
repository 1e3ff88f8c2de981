print("checkout-ledger")
