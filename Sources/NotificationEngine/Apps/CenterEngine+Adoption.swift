internal import Logging
import NotificationModel
public import NotificationStore

// Takes over the stores of apps that hosted their own engine, and the store of a development
// daemon.
extension CenterEngine {
    /// Takes over each store in `layouts` that no process has open.
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
        let retired = try await store.adopt(
            layout, now: clock.now(), zoneData: state.schedule.zones.version)
        guard let retired else { return }
        // Close the retired popups now, because new popups may later have the same keys. The
        // presenter closes only popups that it knows, so tell it about the unknown popups first.
        let unknown = retired.popups.filter { known[$0.key] == nil }
        if !unknown.isEmpty { await presenter.adopt(unknown) }
        closePopups(of: retired.keys)
        state.outages.takeOver(at: clock.now())
        Log.engine.notice("took over the store \(layout.directory.quotedForMessage())")
        try await loadTables()
        try await loadRegions()
        listsChanged([.pending, .delivered], of: nil)
        perform(state.releaseHeld())
        // Tell the presenter about the popups of the adopted store: the server may still show them,
        // and their clicks must be recognised.
        await presenter.adopt(try await store.popups().filter { known[$0.key] != $0.value })
        try await showStoredBadges()
    }

    /// Reads, for every app, the stored values that decisions need.
    func loadTables() async throws(NotificationError) {
        let stored = try await store.storedApps()
        knownApps.formUnion(stored.known)
        state.load(stored)
    }
}

// When an app gets a desktop file, its id changes. The id of an app without a desktop file is
// `dev.` and the name of its program.
extension CenterEngine {
    /// Moves an app's data from its former id to its new id.
    ///
    /// The data may be in this store or in the app's own store.
    ///
    /// Both ids must have the same program path, because another program may have had the former
    /// id. The data stays under the former id while a process is connected under that id. It also
    /// stays there while a question to the user about that id is open.
    func takeOverFormer(of application: ApplicationIdentity) async throws(NotificationError) {
        let program = application.executable
        guard let former = application.formerID, former != application.id, !program.isEmpty else {
            return
        }
        if let storeOfApp = configuration.storeOfApp {
            let layout = storeOfApp(former)
            if layout != store.layout,
                StoreAdoption.executable(of: former, in: layout) == program
            {
                await adopt([layout])
            }
        }
        guard state[former].identity?.executable == program, !state.appsInUse.contains(former)
        else { return }
        guard try await store.rename(former, to: application.id) else { return }
        Log.engine.notice(
            """
            \(application.id) took over \(former): both ids belong to the program \
            \(program.quotedForMessage())
            """)
        state.forget(former)
        await configuration.pushes?.registrationsMoved()
        try await loadTables()
        try await loadRegions()
        await presenter.adopt(
            try await store.popups().filter { $0.key.app == application.id })
        presenter.setBadge(0, of: former)
        try await showStoredBadges()
    }
}
