import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// A real server, a real `tocsind` on its bus, and an app that notifies through both.
struct ServerTrial {
    static let appName = "Kettle"

    let session: RealServer
    let center: HostedService
    /// The image that requests attach.
    let image: String
    /// The app's icon.
    let icon: String
    /// The number of responses that the app has received; all were expected.
    private var answered = 0

    /// Runs `body` with a server and a daemon, and ends both.
    static func with(
        _ server: DesktopServer, _ body: (inout ServerTrial) async throws -> Void
    ) async throws {
        try await RealServer.with(server, preparing: install) { session in
            let center = try await HostedService.start(
                .daemon, on: session.bus, adding: session.environment)
            do {
                var trial = ServerTrial(session: session, center: center)
                try await TestImage.draw(trial.image)
                try await trial.connect()
                try await body(&trial)
            } catch {
                await center.stop()
                throw error
            }
            await center.stop()
        }
    }

    private init(session: RealServer, center: HostedService) {
        self.session = session
        self.center = center
        image = "\(session.bus.directory)/picture.png"
        icon = Self.icon(on: session.bus)
    }

    private static func icon(on bus: PrivateBus) -> String { "\(bus.directory)/icon.png" }

    /// Installs the app's desktop file, from which some servers read its name and icon.
    private static func install(on bus: PrivateBus) async throws {
        try await TestImage.drawIcon(icon(on: bus))
        let folder = "\(bus.directory)/home/.local/share/applications"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try """
        [Desktop Entry]
        Type=Application
        Name=\(appName)
        Exec=/bin/true
        Icon=\(icon(on: bus))
        X-GNOME-UsesNotifications=true

        """.write(
            toFile: "\(folder)/org.tocsin.Test.desktop", atomically: true, encoding: .utf8)
    }

    private func connect() async throws {
        _ = try await center.service.connect(
            ApplicationIdentity(
                id: center.app, name: Self.appName, icon: icon, hasDesktopEntry: true),
            asksBeforePresenting: false
        ) { [events = center.events] in events.append($0) }
        try await center.service.setCategories(Self.categories, of: center.app)
    }

    /// Five plain actions; two actions, one of them destructive; one action with a text field.
    private static let categories = [
        NotificationCategory(
            identifier: "five",
            actions: fiveLabels.map { NotificationAction(identifier: $0, title: $0) }),
        NotificationCategory(
            identifier: "drink",
            actions: [
                NotificationAction(identifier: "drink", title: "Drink"),
                NotificationAction(
                    identifier: "pour", title: "Pour away", options: .destructive),
            ], options: .customDismissAction),
        NotificationCategory(
            identifier: "reply",
            actions: [
                NotificationAction(
                    identifier: "reply", title: "Reply",
                    textInput: NotificationAction.TextInput(
                        buttonTitle: "Send", placeholder: "Message"))
            ]),
    ]

    static let fiveLabels = ["One", "Two", "Three", "Four", "Five"]

    // MARK: Actions of the app

    /// Posts immediately and waits until the popup can be seen.
    ///
    /// By default the popup stays: on a busy machine a screenshot may take seconds.
    func show(
        _ title: String, identifier: String? = nil, category: String = "drink",
        configure: (inout NotificationContent) -> Void = { _ in }
    ) async throws {
        try await post(title, identifier: identifier, category: category, configure: configure)
        try await session.waitUntilShown(title)
    }

    /// Posts immediately; returns when the server has accepted the popup.
    func post(
        _ title: String, identifier: String? = nil, category: String = "drink",
        files: [OpenFile] = [], configure: (inout NotificationContent) -> Void = { _ in }
    ) async throws {
        let identifier = identifier ?? title
        try await center.add(identifier, title: title, files: files) { content in
            content.categoryIdentifier = category
            content.desktop = DesktopOptions()
            content.desktop?.expireTimeout = 0
            configure(&content)
        }
        try await center.settled { pending, delivered in
            pending.isEmpty && delivered.contains { $0.request.content.title == title }
        }
    }

    /// Posts with the image attached.
    func showImage(
        _ title: String, category: String, configure: (inout NotificationContent) -> Void
    ) async throws {
        try await post(
            title, category: category, files: [try OpenFile(path: image)]
        ) { content in
            content.attachments = [
                NotificationAttachment(identifier: "picture", path: image, type: "public.png")
            ]
            configure(&content)
        }
        try await session.waitUntilShown(title)
    }

    /// Expects this action as the next response: no other response may come before it.
    @discardableResult
    mutating func expectResponse(
        _ action: NotificationResponse.Action, to title: String
    ) async throws -> NotificationResponse {
        let response = try await expectResponse(to: title)
        guard response.action == action else {
            throw HarnessError("\(response.action) of \(title) came, not \(action)")
        }
        return response
    }

    /// Expects that the next response belongs to this popup.
    mutating func expectResponse(to title: String) async throws -> NotificationResponse {
        let response = try await center.response(answered + 1)
        answered += 1
        let seen = response.notification.request.content.title
        guard seen == title else {
            throw HarnessError("\(response.action) of \(seen) came, not one of \(title)")
        }
        return response
    }

    /// Removes the popups as an app does, without an action of the user.
    func clear(_ titles: String...) async throws {
        try await center.service.removeDelivered(.all, of: center.app)
        if session.server.keepsWhatIsClosed { return try await session.restart() }
        for title in titles { try await session.waitUntilGone(title) }
    }
}
