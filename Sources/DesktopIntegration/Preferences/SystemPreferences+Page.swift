public import NotificationModel
internal import Reactor

extension SystemPreferences {
    /// Opens the desktop's settings page about notifications, or the page of this app if there is
    /// one.
    ///
    /// - Throws: `noSettings` if there is no page or no display, or if the program for the page is
    ///   missing or does not start.
    public func openPage(of app: ApplicationID) async throws(NotificationError) {
        let program = await program()
        guard let row, !row.pages.isEmpty else {
            let desktop = row?.name ?? "this desktop"
            throw NotificationError(
                .noSettings,
                "The settings of \(app) could not be opened: \(desktop) has no page of settings "
                    + "about notifications. Use 'tocsin settings' with '--allow' or '--deny'.")
        }
        let variables = program.environment
        guard variables["DISPLAY"] != nil || variables["WAYLAND_DISPLAY"] != nil else {
            throw NotificationError(
                .noSettings,
                "The settings of \(app) could not be opened: no display is known, because neither "
                    + "DISPLAY nor WAYLAND_DISPLAY is set. Log in to the desktop first.")
        }
        let search = ProgramSearch(environment: variables)
        for page in row.pages {
            guard let path = search.path(of: page[0]) else { continue }
            let words = page.dropFirst().map { $0.replacing("@", with: app.rawValue) }
            do {
                return try Subprocess.detach(
                    [path] + words, environment: variables,
                    directory: variables["HOME"] ?? "/")
            } catch {
                throw NotificationError(
                    .noSettings,
                    "\(path.quotedForMessage()) could not be started: \(error)")
            }
        }
        let names = row.pages.map { $0[0] }.joined(separator: " or ")
        throw NotificationError(
            .noSettings,
            "The settings of \(app) could not be opened: \(row.name)'s program for them is not "
                + "installed. Install \(names).")
    }
}
