import UserNotifications

/// A loop around plain `poll`, which also waits for the main queue's descriptor.
enum PollLoop {
    @MainActor
    static func run(_ app: App) {
        let descriptor = UNUserNotificationCenter.mainLoopDescriptor
        var waiting = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
        while !app.isDone {
            // A program of this kind has its own descriptors in this array.
            guard poll(&waiting, nfds_t(waiting.count), -1) >= 0 || errno == EINTR else { return }
            if waiting[0].revents != 0 { UNUserNotificationCenter.drainMainLoop() }
        }
    }
}
