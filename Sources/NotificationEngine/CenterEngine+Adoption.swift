internal import Logging
import NotificationModel
public import NotificationStore

// Stores of apps that hosted their own engine, and of a development daemon.
extension CenterEngine {
    /// Takes over each of these stores that no process has open.
    public func adopt(_ layouts: [StoreLayout]) async {
        for layout in layouts {
            do throws(NotificationError) {
                try await adopt(layout)
            } catch {
                guard error.code != .storeLocked else { continue }
                Log.engine.error(
                    """
                    the store \(layout.directory.quotedForMessage()) was not taken over and is \
                    left as it is: \(error.message)
                    """)
            }
        }
    }

    private func adopt(_ layout: StoreLayout) async throws(NotificationError) {
        let known = try await store.popups()
        guard let replaced = try await store.adopt(layout, now: clock.now()) else { return }
        state.attendance.takeOver(at: clock.now())
        Log.engine.notice("took over the store \(layout.directory.quotedForMessage())")
        try await loadTables()
        changed([.pending, .delivered], of: nil)
        perform(state.releaseHeld())
        await presenter.closePopups(of: replaced.keys)
        store.popupsClosed(replaced.keys)
        // Their clicks come to whoever listens, as long as their server shows them.
        await presenter.adopt(try await store.popups().filter { known[$0.key] != $0.value })
    }

    /// Reads what the decisions have to know of every app.
    func loadTables() async throws(NotificationError) {
        var stored = StoredApps()
        stored.identities = try await store.values(of: AppColumns.identity)
        stored.categories = try await store.categories(of: nil)
        knownApps.formUnion(try await store.knownApps())
        stored.permissions = try await store.values(of: AppColumns.permission)
        stored.toldDesktops = try await store.values(of: AppColumns.deniedOn)
        stored.launchCommands = try await store.values(of: AppColumns.launchCommand)
        stored.previews = try await store.values(of: AppColumns.previews)
        stored.held = try await store.heldResponses()
        state.load(stored)
    }
}
