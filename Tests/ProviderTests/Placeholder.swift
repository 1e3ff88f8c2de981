// Provider
