import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// Whether a click on an app's popup brings the app's window in front of another window.
extension ServerTrial {
    private static let inFront = "in front"
    private static let behind = "behind"

    /// The app runs, and shows its window when it gets the response.
    mutating func windowOfRunningApp() async throws -> String {
        let window = try session.appWindow("Kettle")
        let running = try await window.open()
        return try await besideAnother(window) { trial in
            try await trial.show("Running")
            try await trial.session.chooseDefault(labelled: "Open", of: "Running")
            let response = try await trial.expectResponse(.standard, to: "Running")
            try await window.present(token: response.activationToken)
            let outcome = try await Self.outcome(of: window)
            try await window.close()
            try await running.exit()
            return outcome
        }
    }

    /// The app does not run: the click starts it by its desktop file.
    mutating func windowOfColdApp() async throws -> String {
        let app = try ApplicationID("org.tocsin.Window")
        let window = try session.appWindow("Teapot")
        try install(app, showing: window)
        try await HostedService.allow(.daemon, on: session.bus, app: app.rawValue)
        return try await besideAnother(window) { trial in
            var content = NotificationContent(title: "Cold", body: "Pick me up.")
            content.desktop = DesktopOptions()
            content.desktop?.expireTimeout = 0
            try await trial.center.service.add(
                NotificationRequest(identifier: "cold", content: content), attachments: [],
                for: app)
            try await trial.session.waitUntilShown("Cold")
            try await trial.session.chooseDefault(labelled: "Open", of: "Cold")
            try await window.waitUntilShown()
            let outcome = try await Self.outcome(of: window)
            try await trial.acknowledge(of: app)
            try await window.close()
            return outcome
        }
    }

    // MARK: Windows and programs

    /// Runs `body` while another window, which the user used last, is in front.
    private mutating func besideAnother(
        _ window: AppWindow, _ body: (inout ServerTrial) async throws -> String
    ) async throws -> String {
        let other = try session.appWindow("Beside \(window.title)")
        let program = try await other.open()
        do {
            let outcome = try await body(&self)
            try await other.close()
            try await program.exit()
            return outcome
        } catch {
            await program.stop()
            throw error
        }
    }

    /// A desktop that has not raised the window after three seconds never will.
    private static func outcome(of window: AppWindow) async throws -> String {
        let raised: Void? = try? await polled(
            "\(window.title) in front", because: "compositors have no common event for windows",
            within: 3
        ) {
            try await window.isInFront() ? () : nil
        }
        return raised == nil ? behind : inFront
    }

    private func install(_ app: ApplicationID, showing window: AppWindow) throws {
        let folder = "\(session.bus.directory)/home/.local/share/applications"
        try """
        [Desktop Entry]
        Type=Application
        Name=\(window.title)
        Exec=\(window.command.joined(separator: " "))
        StartupNotify=true
        X-GNOME-UsesNotifications=true

        """.write(
            toFile: "\(folder)/\(app.rawValue).desktop", atomically: true, encoding: .utf8)
    }

    /// Acknowledges the response in place of the app; otherwise the daemon would start the app
    /// again.
    private func acknowledge(of app: ApplicationID) async throws {
        let events = Recording<ServiceEvent>()
        let session = try await center.service.connect(
            ApplicationIdentity(id: app, name: "Teapot"), asksBeforePresenting: false
        ) { events.append($0) }
        let event = try await events.first("the response") {
            if case .response = $0 { true } else { false }
        }
        if case .response(let response) = event {
            try await center.service.acknowledge(response.id, of: app)
        }
        await center.service.disconnect(session)
    }
}
