internal import Dispatch
internal import Glibc
internal import NotificationModel
internal import NotificationRuntime
internal import Reactor

/// Changes remote notifications before they are shown; an app makes a subclass.
///
/// Local requests never pass through an extension, as on Apple's platforms.
open class UNNotificationServiceExtension: NSObject {
    /// Makes an extension.
    public override init() {}

    /// The class and the address.
    open override var description: String { describe([]) }

    /// Gives the handler the content that will be shown; the default gives the original content.
    open func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        contentHandler(request.content)
    }

    /// The extension's time is nearly over; the default does nothing.
    open func serviceExtensionTimeWillExpire() {}
}

extension UNNotificationServiceExtension {
    /// Runs the service extension in a program that does nothing else, and ends the program.
    ///
    /// The app's desktop file names the program. While the app does not run, the notification
    /// centre starts the program for each remote notification with `mutable-content`:
    ///
    ///     X-Tocsin-ServiceExtension=/opt/reader/reader-notifications
    ///
    ///     @main struct ReaderNotifications {
    ///         static func main() {
    ///             UNNotificationServiceExtension.runService { NotificationService() }
    ///         }
    ///     }
    ///
    /// The program shows no window. Its working directory is private and is also its temporary
    /// directory. When the extension passes on its content, the program copies the attached files
    /// into this directory. After 30 seconds the program calls `serviceExtensionTimeWillExpire()`,
    /// and two seconds later the notification centre kills the program. Everything that the program
    /// prints goes to standard error.
    public static func runService(
        _ make: @escaping @Sendable () -> UNNotificationServiceExtension
    ) -> Never {
        let service: ExtensionService
        do {
            service = try ExtensionService()
        } catch {
            UNUserNotificationCenter.logMessage("The service extension's input: \(error.message)")
            exit(EX_DATAERR)
        }
        let run = ServiceRun(service, make())
        run.start()
        dispatchMain()
    }
}

/// The work of a service-extension program, which handles one notification.
private final class ServiceRun: Sendable {
    private let service: ExtensionService
    // As on Apple's platforms, another thread reports the expiry; a subclass has to expect that.
    private nonisolated(unsafe) let object: UNNotificationServiceExtension
    private let isAnswered = Locked(false)
    private let queue = DispatchQueue(
        label: "UserNotifications.extension", attributes: .concurrent)
    private let expiry: Locked<(any DispatchSourceSignal)?> = Locked(nil)

    init(_ service: ExtensionService, _ object: UNNotificationServiceExtension) {
        self.service = service
        self.object = object
    }

    func start() {
        signal(SIGTERM, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGTERM, queue: queue)
        source.setEventHandler { [self] in object.serviceExtensionTimeWillExpire() }
        source.activate()
        expiry.withLock { $0 = source }
        queue.async { [self] in
            object.didReceive(UNNotificationRequest(service.request)) { [self] in answer($0) }
        }
    }

    /// Returns the first content to the notification centre, and ends the program.
    private func answer(_ content: UNNotificationContent) {
        let isFirst = isAnswered.withLock { isAnswered in
            defer { isAnswered = true }
            return !isAnswered
        }
        guard isFirst else { return }
        do {
            try service.answer(try content.values.content())
            exit(EXIT_SUCCESS)
        } catch {
            UNUserNotificationCenter.logMessage("The service extension's content: \(error.message)")
            exit(EX_DATAERR)
        }
    }
}
