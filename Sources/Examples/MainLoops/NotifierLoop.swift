import UserNotifications

/// A loop that passes events to objects, like Qt's loop.
///
/// A socket notifier reports when the main queue's descriptor is readable.
///
/// In a Qt program, these two lines do the same:
///
///     QSocketNotifier notifier(descriptor, QSocketNotifier::Read);
///     QObject::connect(&notifier, &QSocketNotifier::activated, drain);
enum NotifierLoop {
    @MainActor
    static func run(_ app: App) {
        let dispatcher = EventDispatcher()
        let notifier = SocketNotifier(UNUserNotificationCenter.mainLoopDescriptor) {
            UNUserNotificationCenter.drainMainLoop()
        }
        dispatcher.register(notifier)
        app.whenDone = { dispatcher.post { dispatcher.quit() } }
        dispatcher.exec()
        dispatcher.unregister(notifier)
    }
}

/// Reports when a descriptor is readable.
@MainActor
final class SocketNotifier {
    let descriptor: Int32
    let activated: () -> Void

    init(_ descriptor: Int32, activated: @escaping () -> Void) {
        self.descriptor = descriptor
        self.activated = activated
    }
}

/// Runs posted events and activates the notifiers, until `quit()`.
@MainActor
final class EventDispatcher {
    private var notifiers: [SocketNotifier] = []
    private var posted: [() -> Void] = []
    private var isRunning = false

    func register(_ notifier: SocketNotifier) {
        notifiers.append(notifier)
    }

    func unregister(_ notifier: SocketNotifier) {
        notifiers.removeAll { $0 === notifier }
    }

    /// Runs an event in the loop's next iteration.
    func post(_ event: @escaping () -> Void) {
        posted.append(event)
    }

    func quit() {
        isRunning = false
    }

    func exec() {
        isRunning = true
        while isRunning {
            let events = posted
            posted = []
            for event in events { event() }
            if isRunning { activate(wait: posted.isEmpty) }
        }
    }

    private func activate(wait: Bool) {
        var descriptors = notifiers.map {
            pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0)
        }
        guard poll(&descriptors, nfds_t(descriptors.count), wait ? -1 : 0) > 0 else { return }
        // The loop iterates over copies, because an activated notifier may register or unregister
        // other notifiers.
        for (notifier, descriptor) in zip(notifiers, descriptors) where descriptor.revents != 0 {
            notifier.activated()
        }
    }
}
