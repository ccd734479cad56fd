import DesktopBus
import NotificationModel
import Testing

@testable import Freedesktop

/// The notification that each version of the portal receives.
struct PortalNotificationTests {
    private let first = PortalInformation()
    private let second = PortalInformation(
        version: 2, categories: ["im.received", "alarm.ringing"],
        purposes: ["im.reply-with-text"])

    private func notification(
        _ portal: PortalInformation, isUpdate: Bool = false,
        category: NotificationCategory? = nil, options: PresentationOptions = .all,
        change: (inout NotificationContent) -> Void = { _ in },
        complete: (inout Presentation) -> Void = { _ in }
    ) throws -> PortalNotification {
        var presentation = try Samples.presentation(
            category: category, options: options, content: NotificationContent.with(change))
        complete(&presentation)
        return PortalNotification(presentation, for: portal, isUpdate: isUpdate)
    }

    @Test func `version 1 has only texts, buttons, a priority and an icon`() throws {
        let notification = try notification(first, category: Samples.category) {
            $0.subtitle = "Sub & title"
            $0.body = "1 < 2"
            $0.sound = NotificationSound(.standard)
        }
        var expected = PortalNotification()
        expected.title = "Title"
        expected.body = "Sub & title\n1 < 2"
        expected.defaultAction = "standard"
        expected.buttons = [
            .init(action: "action.archive", label: "Archive"),
            .init(action: "action.answer", label: "Answer"),
            .init(action: "action.delete", label: "Delete"),
        ]
        expected.icon = .themed("example")
        #expect(notification == expected)
        let keys = notification.value(icon: nil, soundFile: nil).vardictValue?.keys.sorted()
        #expect(keys == ["body", "buttons", "default-action", "priority", "title"])
    }

    @Test func `version 2 has markup, a sound and a field for text`() throws {
        let notification = try notification(second, category: Samples.category) {
            $0.subtitle = "Sub & title"
            $0.body = "1 < 2"
            $0.sound = NotificationSound(.standard)
        }
        #expect(notification.body == "Sub & title\n1 < 2")
        #expect(notification.markupBody == "<b>Sub &amp; title</b>\n1 &lt; 2")
        #expect(notification.sound == .standard)
        #expect(notification.category == "im.received")
        #expect(notification.buttons.map(\.purpose) == [nil, "im.reply-with-text", nil])
        #expect(notification.displayHints.isEmpty)
        #expect(try self.notification(second).markupBody == nil)
        let plain = PortalInformation(version: 2)
        let mute = try self.notification(plain, category: Samples.category)
        #expect(mute.buttons.allSatisfy { $0.purpose == nil })
        #expect(mute.category == nil)
    }

    @Test func `the level or the urgency decides the priority`() throws {
        for (level, priority) in [
            (InterruptionLevel.passive, "low"), (.active, "normal"), (.timeSensitive, "high"),
            (.critical, "urgent"),
        ] {
            let notification = try notification(first) { $0.interruptionLevel = level }
            #expect(notification.priority == priority)
        }
        for (urgency, priority) in [(UInt8(0), "low"), (1, "normal"), (2, "urgent")] {
            let notification = try notification(first) {
                $0.desktop = DesktopOptions()
                $0.desktop?.urgency = urgency
            }
            #expect(notification.priority == priority)
        }
        #expect(try notification(first, options: .list).priority == "low")
    }

    @Test func `version 2 gets the kind of presentation as a display hint`() throws {
        #expect(try notification(second, options: .list).displayHints == ["tray"])
        #expect(try notification(first, options: .list).displayHints.isEmpty)
        #expect(try notification(second, isUpdate: true).displayHints == ["show-as-new"])
        let transient = try notification(second) {
            $0.desktop = DesktopOptions()
            $0.desktop?.isTransient = true
        }
        #expect(transient.displayHints == ["transient"])
        let restored = try notification(second, isUpdate: true, complete: { $0.isRestored = true })
        #expect(restored.displayHints == ["tray"])
        #expect(restored.sound == .silent)
        #expect(restored.priority == "low")
    }

    @Test func `only a category that the desktop knows is sent`() throws {
        for (asked, told) in [("alarm.ringing", "alarm.ringing"), ("x-example.odd", nil)] {
            let notification = try notification(second) {
                $0.desktop = DesktopOptions()
                $0.desktop?.category = asked
            }
            #expect(notification.category == told)
        }
    }

    @Test func `a sound is a file, the desktop's default sound, or left to a separate player`()
        throws
    {
        func sound(_ choice: SoundChoice?) throws -> (PortalNotification.Sound?, SoundRequest?) {
            var kept: Presentation?
            let notification = try notification(second) {
                $0.sound = NotificationSound(choice == nil ? .standard : .named("bell"))
            } complete: {
                $0.sound = choice
                kept = $0
            }
            return (notification.sound, kept.flatMap { PopupSound(of: $0).requestBesidePortal })
        }
        #expect(try sound(nil) == (.standard, nil))
        #expect(try sound(.file("/a/bell.WAV")) == (.file("/a/bell.WAV"), nil))
        let other = try sound(.file("/a/bell.caf"))
        #expect(other.0 == .silent)
        #expect(other.1?.path == "/a/bell.caf")
        let named = try sound(.theme("bell"))
        #expect(named.0 == .silent)
        #expect(named.1?.name == "bell")
        let silent = try notification(second, options: [.banner])
        #expect(silent.sound == .silent)
    }

    @Test func `the icon is the image, an icon of the media type, or the app's icon`() throws {
        func icon(
            _ type: String, complete: (inout Presentation) -> Void = { _ in }
        ) throws
            -> PortalIcon?
        {
            try notification(
                first,
                change: {
                    $0.attachments = [
                        NotificationAttachment(identifier: "a", path: "/a/file", type: type)
                    ]
                }, complete: complete
            ).icon
        }
        #expect(try icon("public.png") == .file("/a/file"))
        #expect(try icon("public.mp3") == .themed("audio-x-generic"))
        #expect(try icon("public.avi") == .themed("video-x-generic"))
        #expect(try icon("com.example.unknown") == .themed("example"))
        let made = try #require(Image(.png, width: 1, height: 1, bytes: [1, 2, 3]))
        #expect(try icon("public.png") { $0.image = made } == .png([1, 2, 3]))
        #expect(
            try icon("com.example.unknown") { $0.application.icon = "/a/icon.png" }
                == .file("/a/icon.png"))
        #expect(try icon("com.example.unknown") { $0.application.icon = "" } == nil)
    }

    @Test func `only the buttons answer a question`() throws {
        let question = try notification(
            first, category: Samples.category, complete: { $0.isQuestion = true })
        #expect(question.defaultAction == nil)
        #expect(question.buttons.count == 3)
    }

    @Test func `a notification without a title has the name of the app as its title`() throws {
        #expect(try notification(first) { $0.title = " " }.title == "Example")
    }

    @Test func `a portal's properties are read, and a property of a wrong type is ignored`() {
        let whole = PortalInformation(properties: [
            "version": .uint32(2),
            "SupportedOptions": .vardict([
                ("category", .strings(["im.received"])), ("button-purpose", .uint32(1)),
            ]),
        ])
        #expect(whole.version == 2)
        #expect(whole.categories == ["im.received"])
        #expect(!whole.takesReplies)
        #expect(PortalInformation(properties: ["version": .string("2")]).version == 1)
        #expect(PortalInformation(properties: [:]) == first)
    }
}
