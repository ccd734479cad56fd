internal import Logging
import NotificationModel
internal import NotificationStore

// An app that has got another id: from `dev.` and its program's name to that of its desktop file.
extension CenterEngine {
    /// Gives an app that connects what it left under its former id, here or in a store of its own.
    ///
    /// It must be the same program, by its path: any other may have had that id, too. While one of
    /// its processes is still connected under the former id, everything stays.
    func takeOverFormer(of application: ApplicationIdentity) async throws(NotificationError) {
        let program = application.executable
        guard let former = application.formerID, former != application.id, !program.isEmpty else {
            return
        }
        if let storeOfApp {
            let layout = storeOfApp(former)
            if layout != store.layout,
                StoreAdoption.executable(of: former, in: layout) == program
            {
                await adopt([layout])
            }
        }
        guard state[former].identity?.executable == program,
            !state.sessions.values.contains(where: { $0.app == former })
        else { return }
        guard try await store.rename(former, to: application.id) else { return }
        Log.engine.notice(
            "\(application.id) has what \(former) left: both are \(program.quotedForMessage())")
        state.forget(former)
        try await loadTables()
        await presenter.adopt(
            try await store.popups().filter { $0.key.app == application.id })
        await presenter.setBadge(0, of: former)
        for (app, count) in try await store.values(of: AppColumns.badge)
        where app == application.id {
            await presenter.setBadge(count, of: app)
        }
    }
}
