/// A value behind a lock.
///
/// Not `Mutex`: ThreadSanitizer does not see its lock, and would report every app that uses this
/// library. Unchecked Sendable: the value is reached through the lock only.
final class Guarded<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) {
        self.value = value
    }

    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        lock.withLock { body(&value) }
    }
}
