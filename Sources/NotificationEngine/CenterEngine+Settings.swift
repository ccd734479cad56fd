internal import Logging
import NotificationModel
internal import NotificationStore

extension CenterEngine {
    /// Leads a person from a popup to the app's own settings, if the app runs.
    func openSettings(for key: NotificationKey) {
        guard let session = state.settingsSession(of: key.app) else {
            Log.engine.info("\(key.app) does not run: its settings cannot be opened")
            return
        }
        let onItsWay = state.flights.values.first { $0.claimed.key == key }?.notification
        Task {
            let stored = try? await store.notification(key)
            guard let notification = stored ?? onItsWay else { return }
            listeners[session]?(.openSettings(notification))
        }
    }
}
