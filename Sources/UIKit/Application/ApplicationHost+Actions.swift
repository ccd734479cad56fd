internal import Dispatch
internal import Foundation
internal import NotificationModel
internal import NotificationRuntime
internal import UserNotifications

extension ApplicationHost {
    /// The longest wait for the notification centre, and also the longest wait for the bus.
    ///
    /// The app must launch even if the centre or the bus hangs.
    private static let deadline = Duration.seconds(2)

    /// Finds out which notification started the app, if one did, and then launches the app.
    ///
    /// If a click on a notification started the program, the launch waits for the notification
    /// centre, at most for `deadline`. Otherwise the launch does not wait for the centre.
    ///
    /// While the launch waits, the main queue is served. As on Apple's platforms, the centre's
    /// delegate still gets no call before the launch.
    func start() {
        let center = application.surroundings.center
        guard application.surroundings.isLaunchedForNotification else {
            return startWithActions(nil)
        }
        center().deferDelegateCalls()
        application.surroundings.timers.schedule(Self.deadline) { [weak self] in
            Self.onMain { self?.startWithActions(nil) }
        }
        Task { [weak self] in self?.startWithActions(await center().launchResponse()) }
    }

    private func startWithActions(_ response: UNNotificationResponse?) {
        guard !isStarted else { return }
        isStarted = true
        launchResponse = response
        startWithActions()
    }

    /// Asks the bus whether a quick action started the app, and then launches the app.
    ///
    /// If the bus does not answer within `deadline`, the app launches without the answer. An app
    /// without a desktop file has no quick actions, and launches at once.
    private func startWithActions() {
        let surroundings = application.surroundings
        guard surroundings.desktop.offersQuickActions else { return launch() }
        surroundings.center().deferDelegateCalls()
        // Programs that the app starts must not inherit the name of the chosen quick action.
        unsetenv(DesktopFileText.actionVariable)
        surroundings.timers.schedule(Self.deadline) { [weak self] in
            Self.onMain { self?.follow { $0.deadlinePassed() } }
        }
        let listener: @Sendable (QuickActionChoice) -> Void = { [weak self] choice in
            Self.onMain { self?.follow { $0.choiceArrived(choice) } }
        }
        Task.detached { [weak self] in
            let claim = await surroundings.desktop.claimActions(listener)
            Self.onMain { self?.follow { $0.claimEnded(claim) } }
        }
    }

    /// Runs the work on the main queue: separate tasks would not keep the order of the events.
    private nonisolated static func onMain(_ work: @escaping @MainActor @Sendable () -> Void) {
        DispatchQueue.main.async { MainActor.assumeIsolated(work) }
    }

    private func follow(_ decide: (inout LaunchWait) -> [LaunchWait.Effect]) {
        for effect in decide(&launchWait) {
            switch effect {
            case .launch(let choice): launch(by: choice)
            case .perform(let choice): performChoice(choice)
            case .exit: application.surroundings.endProcess(0)
            }
        }
    }

    private func performChoice(_ choice: QuickActionChoice) {
        guard let item = application.shortcutItem(choice) else { return }
        perform(item)
    }
}
