#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Images of this process's memory that the system writes when it crashes.
enum CoreDumps {
    /// Has none written.
    static func disable() {
        var limit = rlimit(rlim_cur: 0, rlim_max: 0)
        #if canImport(Glibc)
            setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
        #else
            setrlimit(RLIMIT_CORE, &limit)
        #endif
    }
}
