/// Resolving, deduplicating and placing a batch, before anything of it is written.
extension WriteCore {
    @inlinable
    func place(
        _ batch: [AppendRequest], in plan: inout AppendPlan, _ writer: Store.Writer, _ set: RowSet
    ) throws(LogError) -> [AppendResult] {
        var results: [AppendResult] = []
        results.reserveCapacity(batch.count)
        for request in batch { results.append(try place(request, in: &plan, writer, set)) }
        return results
    }

    @inlinable
    func place(
        _ request: AppendRequest, in plan: inout AppendPlan, _ writer: Store.Writer, _ set: RowSet
    ) throws(LogError) -> AppendResult {
        let route = try resolve(request.identities, plan, writer)
        let stream = route.stream ?? plan.nextStream
        if route.stream == nil { plan.nextStream += 1 }
        // Groups say where to look for repetitions and what is joined already: rarely asked.
        var groups: [[UInt64]] = []
        var there: [DedupeIndex.Place?] = []
        let mayRepeat = request.drafts.contains { $0.dedupe != nil }
        if mayRepeat || route.joined.count > 1 {
            groups = try self.groups(of: route, plan, writer, set)
            if mayRepeat { there = try alreadyThere(request.drafts, in: groups, plan, writer, set) }
        }
        if there.isEmpty || there.contains(where: { $0 == nil }) {
            try check(request.expected, against: end(of: stream, plan, writer, set).count)
        }
        let entries = try placeDrafts(request.drafts, there, to: stream, in: &plan, writer, set)
        var links: [AppendedLink] = []
        if route.joined.count > 1 {
            let cause = entries.first { $0.outcome == .appended }?.position
            links = try placeLinks(route.joined, groups, cause, in: &plan, writer, set)
        }
        placeKeys(request.identities, stream, unknown: route.unknown, in: &plan)
        return AppendResult(stream: stream, entries: entries, links: links)
    }

    /// Where a request's identities lead.
    @usableFromInline
    typealias Route = PlannedRoute

    @inlinable
    func resolve(
        _ identities: [StreamIdentity], _ plan: AppendPlan, _ writer: Store.Writer
    ) throws(LogError) -> Route {
        var route = Route()
        for index in identities.indices where identities[index].role != .finds {
            let key = identities[index].key
            var found = plan.route(key)
            if found == nil { found = try self.stream(routedBy: key, writer) }
            if let found, found >= plan.nextStream {
                throw .damagedRow("Where an identity leads")
            }
            route.add(found, of: identities[index].role, at: index)
        }
        return route
    }

    /// The stream that a key of the log leads to, remembered or read.
    @inlinable
    func stream(
        routedBy key: [UInt8], _ writer: Store.Writer
    ) throws(LogError) -> UInt64? {
        let name = IdentityName(key)
        if let stream = routes.stream(name) { return stream }
        var found = fresh.stream(name)
        if found == nil { found = try writer.storedStream(routedBy: key) }
        guard let stream = found else { return nil }
        routes.remember(name, stream)
        return stream
    }

    /// The groups of all known streams, as lists; streams of one group share a list.
    @inlinable
    func groups(
        of route: Route, _ plan: AppendPlan, _ writer: Store.Writer, _ set: RowSet
    ) throws(LogError) -> [[UInt64]] {
        var groups: [[UInt64]] = []
        for stream in route.known where !groups.contains(where: { $0.contains(stream) }) {
            groups.append(
                try linkedStreams(from: stream) { (stream) throws(LogError) in
                    let planned = plan.links(of: stream)
                    guard let head = try tail.fetch(stream, writer, set), head.hasLinks else {
                        return planned
                    }
                    return Schema.links(tail.state(of: head)) + planned
                })
        }
        return groups
    }

    /// For each draft where its dedupe hash already stands, in the log or earlier in the plan.
    @inlinable
    func alreadyThere(
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
                    place = plan.place(key)
                    if place == nil { place = try stored(key, writer, set) }
                }
            }
            places.append(place)
        }
        return places
    }

    @inlinable
    func stored(
        _ key: DedupeIndex.Key, _ writer: Store.Writer, _ set: RowSet
    ) throws(LogError) -> DedupeIndex.Place? {
        if !dedupes.knows(key.stream) {
            guard let head = try tail.fetch(key.stream, writer, set) else { return nil }
            try dedupes.read(key.stream, endingAt: head.last, writer)
        }
        return dedupes.place(key)
    }

    @inlinable
    func end(
        of stream: UInt64, _ plan: AppendPlan, _ writer: Store.Writer, _ set: RowSet
    ) throws(LogError) -> AppendPlan.StreamEnd {
        if let end = plan.end(of: stream) { return end }
        guard let head = try tail.fetch(stream, writer, set) else {
            return .none
        }
        return AppendPlan.StreamEnd(last: head.last, count: head.count)
    }

    @inlinable
    func check(_ expected: ExpectedRevision, against count: UInt32) throws(LogError) {
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

    @inlinable
    func placeDrafts(
        _ drafts: [EventDraft], _ there: [DedupeIndex.Place?], to stream: UInt64,
        in plan: inout AppendPlan, _ writer: Store.Writer, _ set: RowSet
    ) throws(LogError) -> [AppendedEvent] {
        var entries: [AppendedEvent] = []
        entries.reserveCapacity(drafts.count)
        for index in drafts.indices {
            let draft = drafts[index]
            // Two drafts of one request may carry the same hash: the second is there already.
            let twin = draft.dedupe.flatMap {
                plan.place(DedupeIndex.Key(stream: stream, hash: $0))
            }
            if let place = (there.isEmpty ? nil : there[index]) ?? twin {
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
    @inlinable
    func placeLinks(
        _ joined: [UInt64], _ groups: [[UInt64]], _ cause: UInt64?, in plan: inout AppendPlan,
        _ writer: Store.Writer, _ set: RowSet
    ) throws(LogError) -> [AppendedLink] {
        guard let first = joined.first else { return [] }
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
                plan.link(stream, to: target)
                links.append(AppendedLink(position: place.position, stream: stream, other: target))
            }
            connected += groups.first { $0.contains(other) } ?? [other]
        }
        return links
    }

    @inlinable
    func placeKeys(
        _ identities: [StreamIdentity], _ stream: UInt64, unknown: [Int], in plan: inout AppendPlan
    ) {
        for index in unknown { plan.give(identities[index].key, to: stream) }
        for index in identities.indices where identities[index].role == .finds {
            let key = identities[index].key
            // Comes with every event of its stream: known after the first.
            if shares.contains(IdentityShare(key, stream)) { continue }
            plan.keys.append(AppendPlan.NewKey(key: key, stream: stream, isShared: true))
        }
    }
}

extension AppendedEvent {
    @usableFromInline
    init(_ place: DedupeIndex.Place, _ outcome: Outcome) {
        self.init(position: place.position, revision: place.revision, outcome: outcome)
    }
}

/// A stream and all that are linked to it, directly or over others; the stream itself first.
@usableFromInline
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

/// Where a request's identities lead.
@usableFromInline
struct PlannedRoute {
    /// The first stream that a key leads to.
    @usableFromInline var stream: UInt64?
    /// Streams that joining keys lead to, each once, the chosen stream first where it is one.
    @usableFromInline var joined: [UInt64] = []
    /// All streams that routing keys lead to, each once.
    @usableFromInline var known: [UInt64] = []
    /// Indices of routing keys that lead nowhere yet.
    @usableFromInline var unknown: [Int] = []

    @usableFromInline
    init() {}

    /// Takes in where one routing key leads.
    @usableFromInline
    mutating func add(_ found: UInt64?, of role: StreamIdentity.Role, at index: Int) {
        guard let found else { return unknown.append(index) }
        if stream == nil { stream = found }
        if !known.contains(found) { known.append(found) }
        if role == .joins, !joined.contains(found) { joined.append(found) }
    }
}
