// DodoPayments
