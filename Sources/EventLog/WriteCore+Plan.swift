/// Resolving, deduplicating and placing a batch, before anything of it is written.
extension WriteCore {
    func plan(
        _ batch: [AppendRequest], _ writer: Store.Writer, _ set: RowSet
    ) throws(LogError) -> (AppendPlan, [AppendResult]) {
        var plan = AppendPlan(end: head.end, streams: head.streams)
        var results: [AppendResult] = []
        results.reserveCapacity(batch.count)
        for request in batch { results.append(try place(request, in: &plan, writer, set)) }
        return (plan, results)
    }

    private func place(
        _ request: AppendRequest, in plan: inout AppendPlan, _ writer: Store.Writer, _ set: RowSet
    ) throws(LogError) -> AppendResult {
        let route = try resolve(request.identities, plan, writer)
        let stream = route.stream ?? plan.nextStream
        let groups = try groups(of: route, plan, writer, set)
        let there = try alreadyThere(request.drafts, in: groups, plan, writer, set)
        let isNew = route.stream == nil
        if isNew { plan.nextStream += 1 }
        let end = try end(of: stream, plan, writer, set)
        if there.contains(where: { $0 == nil }) {
            try check(request.expected, against: end.count)
        }
        let entries = try placeDrafts(request.drafts, there, to: stream, in: &plan, writer, set)
        let cause = entries.first { $0.outcome == .appended }?.position
        let links = try placeLinks(route.joined, groups, cause, in: &plan, writer, set)
        placeKeys(request.identities, stream, unknown: route.unknown, in: &plan)
        return AppendResult(stream: stream, entries: entries, links: links)
    }

    /// Where a request's identities lead.
    struct Route {
        /// The first one that a key leads to.
        var stream: UInt64?
        /// Streams that joining keys lead to, each once, the chosen stream first where it is one.
        var joined: [UInt64] = []
        /// All streams that routing keys lead to, each once.
        var known: [UInt64] = []
        /// Indices of routing keys that lead nowhere yet.
        var unknown: [Int] = []
    }

    private func resolve(
        _ identities: [StreamIdentity], _ plan: AppendPlan, _ writer: Store.Writer
    ) throws(LogError) -> Route {
        var route = Route()
        for (index, identity) in identities.enumerated() where identity.role != .finds {
            var found = plan.routes[identity.key]
            if found == nil { found = try writer.stream(routedBy: identity.key) }
            guard let stream = found else {
                route.unknown.append(index)
                continue
            }
            guard stream < plan.nextStream else { throw .damagedRow("Where an identity leads") }
            if route.stream == nil { route.stream = stream }
            if !route.known.contains(stream) { route.known.append(stream) }
            if identity.role == .joins, !route.joined.contains(stream) {
                route.joined.append(stream)
            }
        }
        return route
    }

    /// The groups of all known streams, as lists; streams of one group share a list.
    private func groups(
        of route: Route, _ plan: AppendPlan, _ writer: Store.Writer, _ set: RowSet
    ) throws(LogError) -> [[UInt64]] {
        var groups: [[UInt64]] = []
        for stream in route.known where !groups.contains(where: { $0.contains(stream) }) {
            groups.append(
                try linkedStreams(from: stream) { (stream) throws(LogError) in
                    let planned = plan.links[stream] ?? []
                    guard let head = try tail.fetch(stream, writer, set), head.hasLinks else {
                        return planned
                    }
                    return Schema.links(tail.state(of: head)) + planned
                })
        }
        return groups
    }

    /// For each draft where its dedupe hash already stands, in the log or earlier in the plan.
    private func alreadyThere(
        _ drafts: [EventDraft], in groups: [[UInt64]], _ plan: AppendPlan, _ writer: Store.Writer,
        _ set: RowSet
    ) throws(LogError) -> [DedupeIndex.Place?] {
        var places: [DedupeIndex.Place?] = []
        places.reserveCapacity(drafts.count)
        for draft in drafts {
            guard let hash = draft.dedupe else {
                places.append(nil)
                continue
            }
            var place: DedupeIndex.Place?
            for group in groups where place == nil {
                for stream in group where place == nil {
                    let key = DedupeIndex.Key(stream: stream, hash: hash)
                    place = plan.dedupes[key]
                    if place == nil { place = try stored(key, writer, set) }
                }
            }
            places.append(place)
        }
        return places
    }

    private func stored(
        _ key: DedupeIndex.Key, _ writer: Store.Writer, _ set: RowSet
    ) throws(LogError) -> DedupeIndex.Place? {
        if !dedupes.knows(key.stream) {
            guard let head = try tail.fetch(key.stream, writer, set) else { return nil }
            try dedupes.read(key.stream, endingAt: head.last, writer)
        }
        return dedupes.place(key)
    }

    private func end(
        of stream: UInt64, _ plan: AppendPlan, _ writer: Store.Writer, _ set: RowSet
    ) throws(LogError) -> AppendPlan.StreamEnd {
        if let end = plan.ends[stream] { return end }
        guard let head = try tail.fetch(stream, writer, set) else {
            return AppendPlan.StreamEnd(last: StorageLayout.noPosition, count: 0)
        }
        return AppendPlan.StreamEnd(last: head.last, count: head.count)
    }

    private func check(_ expected: ExpectedRevision, against count: UInt32) throws(LogError) {
        let wanted: UInt32
        switch expected {
        case .any: return
        case .none: wanted = 0
        case .exactly(let number): wanted = number
        }
        guard count == wanted else {
            throw LogError(
                .revisionConflict, "The stream has \(count) events, not \(wanted) as expected.",
                hint: "Read the stream again and decide anew.")
        }
    }

    private func placeDrafts(
        _ drafts: [EventDraft], _ there: [DedupeIndex.Place?], to stream: UInt64,
        in plan: inout AppendPlan, _ writer: Store.Writer, _ set: RowSet
    ) throws(LogError) -> [AppendedEvent] {
        var entries: [AppendedEvent] = []
        entries.reserveCapacity(drafts.count)
        for (index, draft) in drafts.enumerated() {
            // Two drafts of one request may carry the same hash: the second is there already.
            let twin = draft.dedupe.flatMap {
                plan.dedupes[DedupeIndex.Key(stream: stream, hash: $0)]
            }
            if let place = there[index] ?? twin {
                entries.append(AppendedEvent(place, .alreadyThere))
                continue
            }
            var cause: UInt64?
            switch draft.cause {
            case .none: break
            case .position(let position):
                guard position < plan.nextPosition else {
                    throw .invalid("An event names a cause that is not in the log.")
                }
                cause = position
            case .member(let member):
                guard member >= 0, member < index else {
                    throw .invalid("An event names a cause that is not before it in its request.")
                }
                guard !entries[member].wasThere else {
                    let place = DedupeIndex.Place(
                        position: entries[member].position, revision: entries[member].revision)
                    entries.append(AppendedEvent(place, .causeAlreadyThere))
                    continue
                }
                cause = entries[member].position
            }
            let end = try end(of: stream, plan, writer, set)
            let flags = draft.flags.intersection(.domainMask)
            let place = try plan.add(draft, to: stream, after: end, cause: cause, flags: flags)
            entries.append(AppendedEvent(place, .appended))
        }
        return entries
    }

    /// Joins the groups that the request's joining keys showed to be one: two records each.
    private func placeLinks(
        _ joined: [UInt64], _ groups: [[UInt64]], _ cause: UInt64?, in plan: inout AppendPlan,
        _ writer: Store.Writer, _ set: RowSet
    ) throws(LogError) -> [AppendedLink] {
        guard joined.count > 1, let first = joined.first else { return [] }
        var links: [AppendedLink] = []
        var connected = groups.first { $0.contains(first) } ?? [first]
        for other in joined.dropFirst() where !connected.contains(other) {
            for (stream, target) in [(first, other), (other, first)] {
                var draft = Schema.linkDraft(to: target)
                draft.eventID = EventID(value: ids.next())
                guard draft.payload.count <= Limits.payloadBytes else {
                    throw .invalid("The event that joins two streams is too large.")
                }
                let end = try end(of: stream, plan, writer, set)
                let flags = draft.flags.intersection(.domainMask).union(.link)
                let place = try plan.add(draft, to: stream, after: end, cause: cause, flags: flags)
                plan.links[stream, default: []].append(target)
                links.append(AppendedLink(position: place.position, stream: stream, other: target))
            }
            connected += groups.first { $0.contains(other) } ?? [other]
        }
        return links
    }

    private func placeKeys(
        _ identities: [StreamIdentity], _ stream: UInt64, unknown: [Int], in plan: inout AppendPlan
    ) {
        for index in unknown where plan.routes[identities[index].key] == nil {
            plan.routes[identities[index].key] = stream
            plan.keys.append(
                AppendPlan.NewKey(key: identities[index].key, stream: stream, isShared: false))
        }
        for identity in identities where identity.role == .finds {
            plan.keys.append(AppendPlan.NewKey(key: identity.key, stream: stream, isShared: true))
        }
    }
}

extension AppendedEvent {
    fileprivate init(_ place: DedupeIndex.Place, _ outcome: Outcome) {
        self.init(position: place.position, revision: place.revision, outcome: outcome)
    }
}

/// A stream and all that are linked to it, directly or over others; the stream itself first.
func linkedStreams(
    from stream: UInt64, _ links: (UInt64) throws(LogError) -> [UInt64]
) throws(LogError) -> [UInt64] {
    var group = [stream]
    var next = 0
    while next < group.count {
        for other in try links(group[next]) where !group.contains(other) { group.append(other) }
        next += 1
    }
    return group
}
