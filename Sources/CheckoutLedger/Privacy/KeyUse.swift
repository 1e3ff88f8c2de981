import CheckoutModel

/// What stands for a key when something is to be sealed.
enum KeyUse: Sendable {
    case key(DataKey)
    /// The subject was erased: nothing of it may be kept.
    ///
    /// Apart, so that what stands for a key is copied as one word.
    indirect case erased(ErasureMark)
}

/// What there is of a key when something is to be opened.
enum KeyAnswer: Sendable {
    case key(DataKey)
    /// It was destroyed, by a request.
    case erased(ErasureMark)
    /// Nobody knows of it: kept elsewhere, or lost.
    case missing
    /// Its row was changed: the root key opens the rows beside it, and not this one.
    case damaged
}

/// The keys of one subject, one for each class.
struct SubjectKeys: Sendable {
    private var contact: KeyUse?
    private var commercial: KeyUse?

    subscript(dataClass: PrivateClass) -> KeyUse? {
        get {
            switch dataClass {
            case .contact: contact
            case .commercial: commercial
            }
        }
        set {
            switch dataClass {
            case .contact: contact = newValue
            case .commercial: commercial = newValue
            }
        }
    }
}
