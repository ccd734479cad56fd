import HostingSupport
import NotificationModel
import TestSupport

/// The desktop's own settings, as the centre reads and writes them.
extension ServerTrial {
    /// The outcome if the catalog has no commands for the switch of an app.
    private func untestedSwitch() async throws -> String {
        let presenter = try await center.service.status().presenter
        let desktop = Desktops.row(server: presenter.name, vendor: presenter.vendor)
        return desktop?.switches == nil ? "has no switch" : "not tested"
    }

    private static let settingsReportNothing =
        "a desktop stores a setting after its answer, and the service does not signal the change"

    func silenceSeen() async throws -> String {
        guard session.server.silence != nil else {
            return Self.hasNone
        }
        guard try await center.service.status().presenter.isInhibited != nil else {
            return "is not told"
        }
        try await waitForSilence(false)
        try await session.setDoNotDisturb(true)
        try await waitForSilence(true)
        try await session.setDoNotDisturb(false)
        try await waitForSilence(false)
        return Self.yes
    }

    /// GNOME Shell stores its switch after it has answered.
    private func waitForSilence(_ isOn: Bool) async throws {
        try await polled(
            "Do Not Disturb \(isOn ? "on" : "off")", because: Self.settingsReportNothing,
            within: 20
        ) {
            let presenter = try await center.service.settings(of: center.app).presenter
            return presenter.isInhibited == isOn ? () : nil
        }
    }

    func switchSeen() async throws -> String {
        guard session.server.appSwitch != nil else { return try await untestedSwitch() }
        let service = center.service
        try await service.decide(.allow, for: center.app)
        try await session.setAppSwitch(false)
        try await waitForStatus(.denied)
        let isAllowed = try await service.requestAuthorization(.all, for: center.app)
        let refused: Void? = try? await center.add("refused")
        try await session.setAppSwitch(true)
        try await waitForStatus(.authorized)
        try await show("Allowed again")
        try await clear("Allowed again")
        try await service.decide(.reset, for: center.app)
        if isAllowed { return "the app was allowed all the same" }
        return refused == nil ? Self.yes : "the request was taken all the same"
    }

    func switchTold() async throws -> String {
        guard session.server.appSwitch != nil else { return try await untestedSwitch() }
        let service = center.service
        let question = "\(Self.appName) would like to send you notifications"
        let request = Task { try await service.requestAuthorization(.all, for: center.app) }
        try await session.waitUntilShown(question)
        try await session.choose("Don\u{2019}t Allow", of: question)
        let isAllowed = try await request.value
        let denied = try await session.appSwitch()
        guard !isAllowed else { return "allowed" }
        try await waitForStatus(.denied)
        try await service.decide(.allow, for: center.app)
        let allowed = try await session.appSwitch()
        // An app that the user turns on in the desktop's settings is allowed, whatever its
        // permission was.
        try await service.decide(.deny, for: center.app)
        try await session.setAppSwitch(true)
        try await waitForStatus(.authorized)
        try await show("Turned on again")
        try await clear("Turned on again")
        try await service.decide(.reset, for: center.app)
        return !denied && allowed ? Self.yes : "on \(denied) when denied, \(allowed) when allowed"
    }

    /// Waits for a status; each check waits for the service's answer, so the loop needs no pause.
    private func waitForStatus(_ status: Permission.Status) async throws {
        try await polled("the status \(status)", because: Self.settingsReportNothing) {
            let settings = try await center.service.settings(of: center.app)
            return settings.permission?.status == status ? () : nil
        }
    }
}
