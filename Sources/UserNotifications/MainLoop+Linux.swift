internal import CLinux

// Swift's main actor runs on libdispatch's main queue, which a program whose main thread sits in
// GLib, Qt, SDL or poll never serves. CoreFoundation's run loop has the same need; this is its way.
extension UNUserNotificationCenter {
    /// A descriptor that becomes readable when work waits for the main actor.
    ///
    /// Add it to the main thread's loop and call ``drainMainLoop()`` when it is readable:
    ///
    ///     g_unix_fd_add(UNUserNotificationCenter.mainLoopDescriptor, G_IO_IN, { _, _, _ in
    ///         UNUserNotificationCenter.drainMainLoop()
    ///         return 1
    ///     }, nil)
    ///
    /// Ask for it on the main thread, before the loop runs, and never close it.
    public class var mainLoopDescriptor: Int32 { Int32(_dispatch_get_main_queue_handle_4CF()) }

    /// Runs what waits for the main actor: the delegate's methods, `@MainActor` tasks and
    /// `DispatchQueue.main`.
    ///
    /// Call it on the main thread; on any other it does nothing.
    public class func drainMainLoop() {
        guard Thread.isMainThread else { return }
        var count: eventfd_t = 0
        // Read first: work that arrives while the queue is drained makes it readable again.
        _ = eventfd_read(mainLoopDescriptor, &count)
        _dispatch_main_queue_callback_4CF(nil)
    }
}
