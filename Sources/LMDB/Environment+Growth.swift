import CLMDB

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension Environment {
    /// The size of the map now, in bytes.
    var mapBytes: Int {
        var info = MDB_envinfo()
        mdb_env_info(raw, &info)
        return info.me_mapsize
    }

    /// Doubles the map, up to the byte ceiling; throws `MAP_FULL` where growing ends.
    ///
    /// The caller has the writer's place and no transaction.
    func grow() throws(LMDBError) {
        let size = mapBytes
        let next = min(size.multipliedReportingOverflow(by: 2).partialValue, options.ceiling)
        guard next > size else {
            // Dead readers keep pages from being used again.
            if clearStaleReaders() > 0 { return }
            throw LMDBError(MDB_MAP_FULL, "write", path: path)
        }
        guard AddressSpace.hasRoom(for: next) else {
            throw LMDBError(
                .mapFull, "There is no address space for a store of \(next) bytes.",
                hint: "Raise the address space limit of the process.", number: ENOMEM, path: path)
        }
        try setMapSize(next)
    }

    /// Takes over the size that another process gave the map.
    func adoptMapSize() throws(LMDBError) { try setMapSize(0) }

    private func setMapSize(_ size: Int) throws(LMDBError) {
        let status = gate.exclusively { mdb_env_set_mapsize(raw, size) }
        guard status != MDB_SUCCESS else { return }
        // LMDB has already let go of the old map: nothing here can be used any more.
        let error = LMDBError(status, "grow the map", path: path)
        gate.fail(error)
        throw error
    }
}

extension EnvironmentOptions {
    /// The byte ceiling as LMDB can have it.
    var ceiling: Int {
        max(maximumBytes, Limits.mapGranularity).roundedDown(to: Limits.mapGranularity)
    }

    /// The sizes to try at opening, largest first.
    var reservations: [Int] {
        let first = min(max(mapBytes, Limits.mapGranularity), ceiling)
            .roundedDown(to: Limits.mapGranularity)
        var sizes = [first]
        while let last = sizes.last, last / 4 >= Limits.smallestReservation {
            sizes.append((last / 4).roundedDown(to: Limits.mapGranularity))
        }
        return sizes
    }
}

extension Int {
    fileprivate func roundedDown(to unit: Int) -> Int { self / unit * unit }
}

/// What is left of the process's addresses.
enum AddressSpace {
    /// Tries it with a map that takes no memory: LMDB gives up its old map before it knows that it
    /// gets the new one.
    static func hasRoom(for byteCount: Int) -> Bool {
        #if canImport(Glibc)
            let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
        #else
            let flags = MAP_PRIVATE | MAP_ANON | MAP_NORESERVE
        #endif
        let address = mmap(nil, byteCount, PROT_NONE, flags, -1, 0)
        guard let address, address != MAP_FAILED else { return false }
        munmap(address, byteCount)
        return true
    }
}
