internal import Dispatch
internal import NotificationModel
internal import Reactor

// A command-line program ends with its last line, before what it has scheduled is shown.
extension UNUserNotificationCenter {
    /// Returns when nothing of this app is scheduled and each answer was handled.
    ///
    /// With a delegate, the popups that a person may still answer count, too. A repeating request
    /// never ends, and a request that waits for a notification server waits here, too. Where the
    /// notification centre cannot be reached this returns at once.
    public func untilIdle() async {
        var isIdle = false
        while !isIdle {
            await settle()
            let before = connection.stepCount
            await waitForService()
            await settle()
            // A handler or the delegate may have asked for more; the wait itself was one step.
            isIdle = connection.stepCount == before + 1
        }
    }

    /// Returns when the calls so far have ended and their handlers have run.
    private func settle() async {
        await flush()
        await handlers.drain()
    }

    private func waitForService() async {
        let includesPopups = delegate != nil
        await withCheckedContinuation { continuation in
            connection.take(
                .call { result in
                    if case .success(let connected) = result {
                        try? await connected.service.waitUntilIdle(
                            connected.application, includingPopups: includesPopups)
                    }
                    continuation.resume()
                })
        }
    }

    /// Serves the main queue until nothing of this app is scheduled and each answer was handled.
    ///
    /// For the end of a `main.swift` that uses completion handlers; see ``untilIdle()`` for what is
    /// waited for. On another thread than the main one this waits without serving anything.
    @available(*, noasync, message: "use 'await untilIdle()'")
    public func runUntilIdle() {
        let isIdle = Locked(false)
        let waiting = DispatchSemaphore(value: 0)
        Task.detached {
            await self.untilIdle()
            isIdle.withLock { $0 = true }
            waiting.signal()
            // The run loop looks at the flag when it has done something.
            DispatchQueue.main.async {}
        }
        guard Thread.isMainThread else { return waiting.wait() }
        while !isIdle.withLock({ $0 }) {
            _ = RunLoop.main.run(mode: .default, before: .distantFuture)
        }
    }
}
