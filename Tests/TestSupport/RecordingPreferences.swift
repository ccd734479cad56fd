package import NotificationModel
internal import Synchronization

/// The settings of a desktop, as a test scripts them.
///
/// It owns the switches and the requested changes.
///
/// It promises to report each call of `setSwitch(_:for:)` to the listener.
///
/// It never touches a real desktop.
package final class RecordingPreferences: DesktopPreferences {
    private struct State {
        var listener: (@Sendable (ApplicationID, AppSwitch?) -> Void)?
        var desktop: String?
        var off: Set<ApplicationID> = []
        var isSilent: Bool?
        var failure: NotificationError?
        var change: @Sendable (inout AppSwitch) -> Void = { _ in }
    }

    private let state: Mutex<State>
    /// The server of each call of `follow`, in order.
    package let followed = Recording<String>()
    /// The changes requested, in order, such as `app on`.
    package let switchUpdates = Recording<String>()
    /// The apps whose pages were opened.
    package let opened = Recording<ApplicationID>()

    /// Makes a desktop of this name, where the switch of every app is on.
    ///
    /// If the name is nil, the desktop has no switches.
    package init(_ desktop: String? = "GNOME") {
        state = Mutex(State(desktop: desktop))
    }

    // MARK: User actions

    /// Turns an app's switch on or off, and notifies the listener.
    package func setSwitch(_ isOn: Bool, for app: ApplicationID) {
        let (listener, value) = state.withLock { state in
            if isOn { state.off.remove(app) } else { state.off.insert(app) }
            return (state.listener, Self.value(of: app, in: state))
        }
        listener?(app, value)
    }

    /// Logs in to another desktop, where every switch is on.
    package func moves(to desktop: String?) {
        state.withLock { state in
            state.desktop = desktop
            state.off = []
        }
    }

    /// Turns Do Not Disturb on or off; nil for a desktop that does not report it.
    package func silences(_ isSilent: Bool?) {
        state.withLock { $0.isSilent = isSilent }
    }

    /// Applies this change to every `AppSwitch` that the desktop returns later.
    package func says(_ change: @escaping @Sendable (inout AppSwitch) -> Void) {
        state.withLock { $0.change = change }
    }

    /// Makes each later change and each later opening of a page fail; nil ends the failures.
    package func fails(with error: NotificationError?) {
        state.withLock { $0.failure = error }
    }

    private static func value(of app: ApplicationID, in state: State) -> AppSwitch? {
        guard let desktop = state.desktop else { return nil }
        var value = AppSwitch(desktop: desktop, isOn: !state.off.contains(app))
        state.change(&value)
        return value
    }

    // MARK: DesktopPreferences

    package func follow(
        server: String, by vendor: String,
        _ listener: @escaping @Sendable (ApplicationID, AppSwitch?) -> Void
    ) async {
        state.withLock { $0.listener = listener }
        followed.append(server)
    }

    package func isSilent() async -> Bool? {
        state.withLock { $0.isSilent }
    }

    package func appSwitch(of app: ApplicationID) async -> AppSwitch? {
        state.withLock { Self.value(of: app, in: $0) }
    }

    package func setDesktopSwitch(
        _ isOn: Bool, for app: ApplicationID
    ) async throws(NotificationError) -> AppSwitch? {
        switchUpdates.append("\(app) \(isOn ? "on" : "off")")
        if let failure = state.withLock({ $0.failure }) { throw failure }
        return state.withLock { state in
            if isOn { state.off.remove(app) } else { state.off.insert(app) }
            return Self.value(of: app, in: state)
        }
    }

    package func show(
        textsWhileLocked shows: Bool, of app: ApplicationID
    ) async throws(NotificationError) -> AppSwitch? {
        switchUpdates.append("\(app) texts \(shows ? "shown" : "hidden")")
        if let failure = state.withLock({ $0.failure }) { throw failure }
        return state.withLock { state in
            let change = state.change
            state.change = {
                change(&$0)
                $0.showsTextsWhileLocked = shows
            }
            return Self.value(of: app, in: state)
        }
    }

    package func openPage(of app: ApplicationID) async throws(NotificationError) {
        if let failure = state.withLock({ $0.failure }) { throw failure }
        opened.append(app)
    }
}
