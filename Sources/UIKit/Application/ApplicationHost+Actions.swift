internal import Dispatch
internal import Foundation
internal import NotificationModel
internal import NotificationRuntime
internal import UserNotifications

// The user's choices of quick actions.
extension ApplicationHost {
    /// How long the launch waits for the session bus, which may hang.
    private static let deadline = Duration.seconds(2)

    /// Launches the app once the bus has told whether a quick action started it.
    ///
    /// An app without a desktop file has no quick actions, and launches at once.
    func start() {
        let surroundings = application.surroundings
        guard surroundings.desktop.offersQuickActions else { return launch() }
        // Programs that this app starts, or itself after an update, must not inherit the choice.
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

    /// The main queue keeps the order of the events, which tasks would not promise.
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
