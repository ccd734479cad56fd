/// Looks until there is something to see, for what tells nobody when it is ready.
///
/// The pause grows, so that the looks do not slow what they look at.
package func eventually<Found>(
    _ what: String, within seconds: Int = 30, _ look: () async throws -> Found?
) async throws -> Found {
    let end = ContinuousClock.now + .seconds(seconds)
    var pause = Duration.milliseconds(20)
    while ContinuousClock.now < end {
        if let found = try await look() { return found }
        try await Task.sleep(for: pause)
        pause = min(pause * 3 / 2, .milliseconds(300))
    }
    throw HarnessError("\(what) was not there within \(seconds) s")
}
