// Stripe
