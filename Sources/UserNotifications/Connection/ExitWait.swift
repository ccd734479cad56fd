internal import Dispatch
internal import Glibc
internal import Reactor

// `center.add(request)` may be a program's last line, or a completion handler may call `exit(0)`.
// Even then, calls that change the store must reach the disk.
extension UNUserNotificationCenter {
    /// How long an exiting program waits for all its calls together.
    private static let exitLimit = DispatchTimeInterval.seconds(2)
    private static let exitingCenter = Locked<(center: UNUserNotificationCenter, process: pid_t)?>(
        nil)

    /// Makes the program wait at its exit for this centre's calls that change the store.
    ///
    /// A later call for another centre replaces this centre.
    package func waitAtExit() {
        let isFirst = Self.exitingCenter.withLock { exiting in
            defer { exiting = (self, getpid()) }
            return exiting == nil
        }
        guard isFirst else { return }
        atexit {
            guard let exiting = UNUserNotificationCenter.exitingCenter.withLock(\.self),
                // A forked child has no threads that could do the work.
                exiting.process == getpid()
            else { return }
            exiting.center.finish()
        }
    }

    /// Blocks the thread that ends the program; everything else runs on other threads.
    private func finish() {
        let deadline = DispatchTime.now() + Self.exitLimit
        let count = connection.waitForStores(until: deadline)
        if count > 0 {
            let calls = count == 1 ? "1 call was" : "\(count) calls were"
            Self.logMessage(
                "The program ends before \(calls) stored: the notification centre did not answer "
                    + "within 2 s. Wait for the completion handlers before the program ends.")
        }
        let isDone = DispatchSemaphore(value: 0)
        let sentence = Locked<String?>(nil)
        Task.detached(executorPreference: source.executor) { [source] in
            await source.finish { text in sentence.withLock { $0 = text } }
            isDone.signal()
        }
        _ = isDone.wait(timeout: deadline)
        if let text = sentence.withLock(\.self) { Self.logMessage(text) }
    }
}
