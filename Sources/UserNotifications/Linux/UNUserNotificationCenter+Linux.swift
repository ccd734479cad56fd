internal import CLinux
internal import Dispatch
package import NotificationModel
internal import NotificationRuntime
internal import Reactor

extension UNUserNotificationCenter {
    /// The id of the app's desktop file, without `.desktop`; set it before you use the centre.
    ///
    /// If the app sets no id, the id comes from the environment, the sandbox or the session. If the
    /// app sets an unusable id, every later call fails with an error that says so.
    ///
    /// An app with the product UIKit sets the id in the `init()` of its delegate, because the
    /// launch already uses the id.
    public class var applicationIdentifier: String {
        get { current().applicationIdentifier }
        set { current().applicationIdentifier = newValue }
    }

    /// The identifier of the request, if a response to its notification started this program.
    ///
    /// The value is nil for any other start. This property reads the environment variable
    /// `TOCSIN_LAUNCHED_FOR`, which child programs inherit. The delegate receives the response, and
    /// the response names the request.
    ///
    /// An app that the bus starts (`DBusActivatable`) has no such variable, so the value is nil.
    /// The centre calls a D-Bus method of such an app:
    ///
    /// - After a click on a button: `ActivateAction` with the identifier. If the app refuses this
    ///   call, and the button brings the app to the front, the centre then calls `Activate`.
    /// - After a click on the notification itself: `Activate` without the identifier.
    public class var launchedForIdentifier: String? { Configuration.current().launchedFor }

    /// Returns when every call has ended, including calls that begin while this method waits.
    ///
    /// Even without `flush`, a program that ends waits up to two seconds for calls that change the
    /// store: requests, removals, categories, badges and handled responses. The program does not
    /// wait for a permission question, nor for completion handlers.
    public func flush() async {
        await connection.flush()
    }

    /// Opens the desktop's settings page about notifications, for this app if such a page exists.
    ///
    /// An app without UIKit calls this method in place of opening the address
    /// `UIApplication.openNotificationSettingsURLString`. GNOME, Plasma, Xfce, MATE, LXQt, Cinnamon
    /// and Budgie have such a page.
    ///
    /// - Throws: A ``UNServiceError`` with the code ``UNServiceError/Code/noSettings`` if the
    ///   desktop has no such page, or the program that shows the page is not installed.
    public func openNotificationSettings() async throws {
        try await call(stores: false) { connected throws(NotificationError) in
            try await connected.service.openNotificationSettings(of: connected.application)
        }
    }

    /// The id that the app has set for this centre; nil for none, or if the id is unusable.
    package var chosenApplicationID: ApplicationID? {
        chosenIdentifier.withLock(\.self).flatMap { try? ApplicationID($0) }
    }

    /// The app's id for this centre; after an invalid id, all later calls of the centre fail.
    package var applicationIdentifier: String {
        get { chosenIdentifier.withLock { $0 } ?? source.application().id.rawValue }
        set {
            // Keep an unusable id, too: if this property still returned the earlier id, nobody
            // would see why the calls fail.
            chosenIdentifier.withLock { $0 = newValue }
            do {
                let id = try ApplicationID(newValue)
                connection.enqueue(.identify(.success(id)))
            } catch {
                connection.enqueue(.identify(.failure(error)))
            }
        }
    }
}

// Linux does not tell a process whether one of its windows is in front.
extension UNUserNotificationCenter {
    /// Whether the app is in front of the user; nil if the app has not reported it.
    ///
    /// - nil: The delegate is asked before each popup. If no delegate implements `willPresent`, the
    ///   popup is shown.
    /// - true: The delegate is asked before each popup. If no delegate implements `willPresent`,
    ///   nothing is shown, as on Apple's platforms in the foreground.
    /// - false: The popups are shown, and the delegate is not asked.
    public var isApplicationActive: Bool? {
        get { activity }
        set { activity = newValue }
    }
}

// Swift's main actor runs on libdispatch's main queue. A program whose main thread runs GLib, Qt,
// SDL or poll never serves that queue. With the two members below, such a program serves the queue.
// They call the libdispatch functions that CoreFoundation's run loop also calls.
extension UNUserNotificationCenter {
    /// A descriptor that becomes readable when work waits for the main actor.
    ///
    /// Add the descriptor to the main thread's loop, and call ``drainMainLoop()`` when the
    /// descriptor is readable:
    ///
    ///     g_unix_fd_add(UNUserNotificationCenter.mainLoopDescriptor, G_IO_IN, { _, _, _ in
    ///         UNUserNotificationCenter.drainMainLoop()
    ///         return 1
    ///     }, nil)
    ///
    /// Read this property on the main thread, before the loop runs. Never close the descriptor.
    public class var mainLoopDescriptor: Int32 { Int32(_dispatch_get_main_queue_handle_4CF()) }

    /// Runs the work that waits for the main actor.
    ///
    /// This work is the delegate's methods, `@MainActor` tasks and `DispatchQueue.main`.
    ///
    /// Call this method on the main thread; on any other thread it does nothing.
    public class func drainMainLoop() {
        guard Thread.isMainThread else { return }
        var count: eventfd_t = 0
        // Reset the descriptor first: work that arrives during the drain makes it readable again.
        _ = eventfd_read(mainLoopDescriptor, &count)
        _dispatch_main_queue_callback_4CF(nil)
    }
}

// A command-line program ends with its last line, before its scheduled requests are shown.
extension UNUserNotificationCenter {
    /// Returns when nothing of this app is scheduled.
    ///
    /// If the app has a delegate, this method also waits for popups to which the user may still
    /// respond. It waits, too, for responses that the app has not handled yet.
    ///
    /// Without a daemon, this method ignores popups of an earlier run of the app, because it cannot
    /// know whether the user has closed them.
    ///
    /// This method does not return while a repeating request is pending, or while a due request
    /// waits for a notification server. If the notification centre is unreachable, this method
    /// returns at once.
    public func untilIdle() async {
        var isIdle = false
        while !isIdle {
            await settle()
            let before = connection.stepCount
            let includesPopups = delegate != nil
            // A failure ends the wait: the next step would fail in the same way.
            try? await call(stores: false) { connected throws(NotificationError) in
                try await connected.service.waitUntilIdle(
                    connected.application, includingPopups: includesPopups)
            }
            await settle()
            // The wait itself was one step. If there were more steps, a handler or the delegate has
            // made calls, so wait again.
            isIdle = connection.stepCount == before + 1
        }
    }

    /// Returns when the calls so far have ended and their handlers have run.
    private func settle() async {
        await flush()
        await handlers.drain()
    }

    /// Serves the main queue until ``untilIdle()`` would return.
    ///
    /// Call this method at the end of a `main.swift` that uses completion handlers. On a thread
    /// other than the main thread, this method waits without serving the main queue.
    @available(*, noasync, message: "use 'await untilIdle()'")
    public func runUntilIdle() {
        let isIdle = Locked(false)
        let waiting = DispatchSemaphore(value: 0)
        Task.detached {
            await self.untilIdle()
            isIdle.withLock { $0 = true }
            waiting.signal()
            // Wakes the run loop: the loop below checks the flag only after the run loop has
            // handled something.
            DispatchQueue.main.async {}
        }
        guard Thread.isMainThread else { return waiting.wait() }
        while !isIdle.withLock({ $0 }) {
            _ = RunLoop.main.run(mode: .default, before: .distantFuture)
        }
    }
}
