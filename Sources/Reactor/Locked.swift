internal import Glibc

/// A value behind a lock of the threads library; the only lock type of this package.
///
/// It is not Synchronization's `Mutex`: ThreadSanitizer does not see that lock, and would report
/// false races in every program that uses this package.
///
/// The value must not be a closure. At each use of a closure the compiler adds a conversion to the
/// stored value, so each use would be slower than the last. Put the closure into a structure.
///
/// Unchecked: code reaches the value only through the lock.
package final class Locked<Value>: @unchecked Sendable {
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    package init(_ value: Value) {
        self.value = value
        lock = .allocate(capacity: 1)
        lock.initialize(to: pthread_mutex_t())
        pthread_mutex_init(lock, nil)
    }

    deinit {
        pthread_mutex_destroy(lock)
        lock.deinitialize(count: 1)
        lock.deallocate()
    }

    /// Runs `body` with the value while no other thread uses the value.
    ///
    /// - Throws: The error of `body`.
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return try body(&value)
    }
}
