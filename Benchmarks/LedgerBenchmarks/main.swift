// Measures the product beside its peers, in one run and in turns, and prints ratios.

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

guard let options = BenchmarkOptions(CommandLine.arguments.dropFirst()) else {
    note(BenchmarkOptions.usage)
    exit(2)
}
let groups = BenchmarkGroup.all.filter { group in
    options.only.map { group.name.contains($0) } ?? true
}
guard !groups.isEmpty else {
    note(BenchmarkOptions.usage)
    exit(2)
}

do {
    let place = try Workplace()
    defer { place.remove() }
    note(try place.facts())
    var report = Report(isJSON: options.isJSON)
    report.printHeader()
    for group in groups { report.add(try await group.rows(options, place)) }
    place.remove()
    if options.isCheck && !report.allHeld { exit(1) }
} catch {
    note("Error: \(error)")
    exit(1)
}
