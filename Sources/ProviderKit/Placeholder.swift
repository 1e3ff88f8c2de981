// ProviderKit
