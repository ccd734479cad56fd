/// Repeats `look` until it returns a value, for programs that do not report when they are ready.
///
/// Each call asks a program and takes as long as its answer, so there is no pause.
package func eventually<Found>(
    _ what: String, within seconds: Int = 60, _ look: () async throws -> Found?
) async throws -> Found {
    let end = ContinuousClock.now + .seconds(seconds)
    repeat {
        if let found = try await look() { return found }
        try Task.checkCancellation()
    } while ContinuousClock.now < end
    throw HarnessError("\(what) was not there within \(seconds) s")
}
