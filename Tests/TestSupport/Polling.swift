/// Looks again and again until something is found, where no event says that it is there.
///
/// A test that can wait for an event does: `Recording`, `waitForChange`, `untilReceived`. The
/// linter lists the files that poll. A look asks a program and takes as long as its answer, so
/// there is no pause.
package nonisolated(nonsending) func polled<Found>(
    _ what: String, because reason: String, within seconds: Int = 60,
    _ look: () async throws -> Found?
) async throws -> Found {
    let end = ContinuousClock.now + .seconds(seconds)
    repeat {
        if let found = try await look() { return found }
        try Task.checkCancellation()
    } while ContinuousClock.now < end
    throw HarnessError("\(what) was not there within \(seconds) s, looked for because \(reason)")
}
