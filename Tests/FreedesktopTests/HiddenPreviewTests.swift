import DesktopBus
import NotificationModel
import TestSupport
import Testing

@testable import Freedesktop

/// The contents of a popup whose texts are hidden.
@Suite struct HiddenPreviewTests {
    private static func presentation(
        _ previews: ShowPreviews, isLocked: Bool, category: NotificationCategory? = nil
    ) throws -> Presentation {
        let content = NotificationContent.with {
            $0.subtitle = "Subtitle"
            $0.attachments = [
                NotificationAttachment(
                    identifier: "a", path: "/tmp/a.png", type: "public.png")
            ]
            $0.progress = 0.5
            $0.desktop = DesktopOptions()
            $0.desktop?.icon = "secret"
            $0.desktop?.urgency = 2
            $0.desktop?.hints = ["x-kde-urls": .string("file:///secret")]
        }
        var presentation = try Samples.presentation(category: category, content: content)
        presentation.previews = previews
        presentation.isLocked = isLocked
        presentation.threadCount = 3
        return presentation
    }

    private static func category(
        _ options: NotificationCategory.Options = [], placeholder: String = ""
    ) -> NotificationCategory {
        var category = Samples.category
        category.options = options
        category.hiddenPreviewsBodyPlaceholder = placeholder
        return category
    }

    @Test(
        arguments: [
            (.always, false, false), (.always, true, false), (.whenAuthenticated, false, false),
            (.whenAuthenticated, true, true), (.never, false, true), (.never, true, true),
        ] as [(ShowPreviews, Bool, Bool)])
    func `the setting hides previews always, while the session is locked, or never`(
        previews: ShowPreviews, isLocked: Bool, isHidden: Bool
    ) throws {
        let arguments = NotifyArguments(
            try Self.presentation(previews, isLocked: isLocked), for: Samples.server())
        #expect((arguments.summary == "Example") == isHidden)
        #expect((arguments.body == "Notification") == isHidden)
    }

    @Test func `a hidden preview is in the user's language, unless its category has a text`()
        throws
    {
        let plain = try Self.presentation(.never, isLocked: false)
        #expect(NotifyArguments(plain, for: Samples.server(), in: .german).body == "Mitteilung")
        #expect(PortalNotification(plain, for: .init(), in: .german).body == "Mitteilung")
        let category = Self.category(placeholder: "New mail")
        let own = try Self.presentation(.never, isLocked: false, category: category)
        #expect(NotifyArguments(own, for: Samples.server(), in: .german).body == "New mail")
    }

    @Test func `a hidden preview sends no image, progress, URL or reply placeholder`() throws {
        let server = Samples.server("", ["actions", "body", "inline-reply"])
        let arguments = NotifyArguments(
            try Self.presentation(.never, isLocked: false, category: Self.category()),
            for: server)
        #expect(arguments.appIcon == "example")
        #expect(Set(arguments.hints.keys).isDisjoint(with: ["image-path", "value", "x-kde-urls"]))
        #expect(arguments.hints["x-kde-reply-placeholder-text"] == .string(""))
        #expect(arguments.hints["urgency"] == .byte(2), "the urgency is not hidden")
        #expect(arguments.actions.map(\.label) == ["Archive", "Answer", "Delete", ""])
    }

    /// The code lists the kept fields: a list of cleared fields would let a new field through.
    @Test func `a hidden preview keeps only fields that reveal nothing`() throws {
        var presentation = try Samples.presentation(
            category: Self.category(), content: .everyField)
        presentation.previews = .never
        let content = HiddenPreview.applied(to: presentation).notification.request.content
        let names = NotificationContent.record.entries(of: content).map(\.name)
        #expect(names.sorted() == ["body", "desktop", "level", "sound"])
        #expect(content.body == "Notification")
        let desktop = try #require(content.desktop)
        #expect(
            DesktopOptions.record.entries(of: desktop).map(\.name).sorted()
                == ["category", "expireTimeout", "offersClick", "transient", "urgency"])
    }

    @Test(
        arguments: [
            ([], "", "Example", "Notification"), ([], " \n", "Example", "Notification"),
            ([.hiddenPreviewsShowTitle], "New mail", "Title", "New mail"),
            ([.hiddenPreviewsShowSubtitle], "New mail", "Example", "Subtitle\nNew mail"),
            (
                [.hiddenPreviewsShowTitle, .hiddenPreviewsShowSubtitle], "%u messages", "Title",
                "Subtitle\n3 messages"
            ),
            ([], "%u of %u, 100%%u %d", "Example", "3 of 3, 100%u %d"),
        ] as [(NotificationCategory.Options, String, String, String)])
    func `the category decides which texts a hidden preview shows`(
        options: NotificationCategory.Options, placeholder: String, summary: String, body: String
    ) throws {
        let arguments = NotifyArguments(
            try Self.presentation(
                .whenAuthenticated, isLocked: true,
                category: Self.category(options, placeholder: placeholder)),
            for: Samples.server("", ["actions", "body"]))
        #expect(arguments.summary == summary)
        #expect(arguments.body == body)
    }

    @Test func `a desktop that hides texts itself gets the texts, unless previews are never shown`()
        throws
    {
        let hiding = Desktops.table.flatMap { row in
            row.traits.filter { $0.quirks.contains(.hidesWhileLocked) }
                .map { (row.server, $0.since) }
        }
        #expect(!hiding.isEmpty)
        for (name, version) in hiding {
            let server = Samples.server(name, ["body"], version: "\(version)")
            for (previews, body) in [
                (ShowPreviews.whenAuthenticated, "Subtitle\nText"), (.never, "Notification"),
            ] {
                let arguments = NotifyArguments(
                    try Self.presentation(previews, isLocked: true), for: server)
                #expect(arguments.body == body, "\(name) \(version)")
            }
        }
    }

    @Test(
        arguments: [
            (.always, false, nil, "Subtitle\nText"),
            (.whenAuthenticated, false, ["hide-content-on-lock-screen"], "Subtitle\nText"),
            (.whenAuthenticated, true, ["hide-content-on-lock-screen"], "Notification"),
            (.never, false, nil, "Notification"),
        ] as [(ShowPreviews, Bool, [String]?, String)])
    func `version 2 of the portal gets a hint to hide the texts on the lock screen`(
        previews: ShowPreviews, isLocked: Bool, hints: [String]?, body: String
    ) throws {
        let presentation = try Self.presentation(previews, isLocked: isLocked)
        for version in [UInt32(1), 2] {
            let portal = PortalInformation(properties: ["version": .uint32(version)])
            let notification = PortalNotification(presentation, for: portal)
            #expect(notification.body == body)
            #expect(notification.displayHints == (version == 1 ? [] : hints ?? []))
        }
    }

    @Test func `texts that are shown again after a lock give no second alert`() throws {
        var presentation = try Self.presentation(.whenAuthenticated, isLocked: false)
        presentation.isRevealed = true
        presentation.options = [.banner, .list]
        let portal = PortalInformation(properties: ["version": .uint32(2)])
        let notification = PortalNotification(presentation, for: portal, isUpdate: true)
        #expect(!notification.displayHints.contains("show-as-new"))
        #expect(notification.sound == .silent)
        let arguments = NotifyArguments(presentation, for: Samples.server("", ["body", "sound"]))
        #expect(arguments.hints["suppress-sound"] == .bool(true))
        #expect(arguments.hints["urgency"] == .byte(2))
    }
}
