internal import Foundation
internal import GRDB
import NotificationModel

extension CenterStore {
    /// Remembers whether an app may notify; nil forgets it.
    func save(
        _ permission: Permission?, of app: ApplicationID,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        try await change("changed") { database in
            if permission?.status != .denied {
                try AppColumns.deniedOn.set(nil, of: app, in: database)
            }
            try AppColumns.permission.set(permission, of: app, in: database)
        }
    }

    /// Remembers that a desktop's switch of an app was turned off because the app is denied.
    func saveDenial(
        of app: ApplicationID, on desktop: String, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        try await change("changed") { database in
            let row = try AppColumns.row(of: app, in: database)
            var desktops = row.flatMap { AppColumns.deniedOn.value(of: $0, app) } ?? []
            guard !desktops.contains(desktop) else { return }
            desktops.append(desktop)
            try AppColumns.deniedOn.set(desktops, of: app, in: database)
        }
    }
}
