// Tidy
