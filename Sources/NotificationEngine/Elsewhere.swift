/// Does work on the pool of threads, also for a task that prefers the reactor's: what takes
/// milliseconds must not hold up popups there.
@concurrent
func elsewhere<Value: Sendable, Failure: Error>(
    _ work: @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
    try await withTaskExecutorPreference(globalConcurrentExecutor) {
        () async throws(Failure) -> Value in
        try work()
    }
}
