import DesktopBus
import Freedesktop
import NotificationModel
import Testing

struct NotifyArgumentsTests {
    @Test func `the arguments of a plain notification have the types of the specification`() throws
    {
        var arguments = NotifyArguments(try Samples.presentation(), for: Samples.server())
        arguments.replacesID = 7
        #expect(
            arguments.values == [
                .string("Example"), .uint32(7), .string("example"), .string("one"),
                .string("Text"), .strings(["default", ""]),
                .vardict([
                    ("desktop-entry", .string("org.example.App")), ("urgency", .byte(1)),
                ]),
                .int32(-1),
            ])
        #expect(arguments.values.map(\.signature.rawValue).joined() == "susssasa{sv}i")
    }

    @Test(
        arguments: [
            (InterruptionLevel.passive, 0), (.active, 1), (.timeSensitive, 1), (.critical, 2),
        ] as [(InterruptionLevel, UInt8)])
    func `each interruption level has its urgency`(
        level: InterruptionLevel, expected: UInt8
    ) throws {
        let content = NotificationContent.with { $0.interruptionLevel = level }
        let arguments = NotifyArguments(
            try Samples.presentation(content: content), for: Samples.server())
        #expect(arguments.hints["urgency"] == .byte(expected))
    }

    @Test
    func `under Do Not Disturb a time-sensitive popup is critical if a banner is allowed`() throws {
        let content = NotificationContent.with { $0.interruptionLevel = .timeSensitive }
        for (options, urgency) in [(PresentationOptions.all, UInt8(2)), ([.list], 0)] {
            var presentation = try Samples.presentation(options: options, content: content)
            presentation.isInSilence = true
            let arguments = NotifyArguments(presentation, for: Samples.server())
            #expect(arguments.hints["urgency"] == .byte(urgency))
        }
    }

    @Test(arguments: [(0, 0), (0.255, 26), (1, 100), (-2, 0), (7, 100)] as [(Double, Int32)])
    func `progress is sent as a whole percentage from 0 to 100`(
        progress: Double, percent: Int32
    ) throws {
        let content = NotificationContent.with { $0.progress = progress }
        let hints = NotifyArguments(
            try Samples.presentation(content: content), for: Samples.server()
        ).hints
        #expect(hints["value"] == .int32(percent))
    }

    /// Xfce would show the bar alone, without the text and the buttons.
    @Test func `a server that would draw the progress bar alone gets no progress`() throws {
        let content = NotificationContent.with { $0.progress = 0.5 }
        let arguments = NotifyArguments(
            try Samples.presentation(content: content), for: Samples.server("Xfce Notify Daemon"))
        #expect(arguments.hints["value"] == nil)
    }

    @Test(arguments: [nil, .nan, .infinity] as [Double?])
    func `a progress that is missing or not finite is not sent`(progress: Double?) throws {
        let content = NotificationContent.with { $0.progress = progress }
        let arguments = NotifyArguments(
            try Samples.presentation(content: content), for: Samples.server())
        #expect(arguments.hints["value"] == nil)
    }

    @Test(
        arguments: [
            (PresentationOptions.all, UInt8(1), true), ([.banner], 1, false),
            ([.alert, .sound], 1, true), ([.list], 0, false), ([.list, .sound], 0, true),
            ([.badge, .list], 0, false),
        ] as [(PresentationOptions, UInt8, Bool)])
    func `the app's presentation options decide on banner and sound`(
        options: PresentationOptions, urgency: UInt8, isAudible: Bool
    ) throws {
        let content = NotificationContent.with { $0.sound = NotificationSound(.standard) }
        let hints = NotifyArguments(
            try Samples.presentation(options: options, content: content),
            for: Samples.server("", ["sound"])
        ).hints
        #expect(hints["urgency"] == .byte(urgency))
        #expect(hints["sound-name"] == (isAudible ? .string("message-new-instant") : nil))
        #expect(hints["suppress-sound"] == (isAudible ? nil : .bool(true)))
    }

    @Test(arguments: [
        (NotificationSound.Source.standard, "sound-name", "message-new-instant"),
        (.ringtone, "sound-name", "phone-incoming-call"),
        (.ringtoneNamed("x.ogg"), "sound-name", "phone-incoming-call"),
        (.named("bell"), "sound-name", "bell"),
        (.named("/tmp/a b.ogg"), "sound-file", "/tmp/a b.ogg"),
    ])
    func `each kind of sound is sent in its hint`(
        source: NotificationSound.Source, hint: String, value: String
    ) throws {
        let content = NotificationContent.with { $0.sound = NotificationSound(source) }
        let presentation = try Samples.presentation(content: content)
        let hints = NotifyArguments(presentation, for: Samples.server("", ["sound"])).hints
        #expect(hints.filter { $0.key.contains("sound") } == [hint: .string(value)])
        let mute = NotifyArguments(presentation, for: Samples.server()).hints
        #expect(mute.keys.allSatisfy { !$0.contains("sound") })
    }

    @Test(arguments: [
        (SoundChoice.file("/a/bell.wav"), "sound-file", "/a/bell.wav"),
        (.theme("bell"), "sound-name", "bell"),
        (.standard, "sound-name", "message-new-instant"),
    ])
    func `a resolved sound is preferred to the sound's name`(
        choice: SoundChoice, hint: String, value: String
    ) throws {
        var presentation = try Samples.presentation(
            content: .with { $0.sound = NotificationSound(.named("bell.wav")) })
        presentation.sound = choice
        let hints = NotifyArguments(presentation, for: Samples.server("", ["sound"])).hints
        #expect(hints.filter { $0.key.contains("sound") } == [hint: .string(value)])
    }

    @Test(
        arguments: [
            (InterruptionLevel.critical, nil, "sound-name", BusValue.string("dialog-warning")),
            (
                .critical, NotificationSound(.standard), "sound-name",
                .string("message-new-instant")
            ),
            (
                .active, NotificationSound(.standard, isCritical: true, volume: 0.5), "sound-name",
                .string("dialog-warning")
            ),
            (.passive, NotificationSound(.standard), "suppress-sound", .bool(true)),
        ] as [(InterruptionLevel, NotificationSound?, String, BusValue)])
    func `a critical notification always has a sound, and a passive notification never`(
        level: InterruptionLevel, sound: NotificationSound?, hint: String, value: BusValue
    ) throws {
        let presentation = try Samples.presentation(
            content: .with {
                $0.interruptionLevel = level
                $0.sound = sound
            })
        let hints = NotifyArguments(presentation, for: Samples.server("", ["sound"])).hints
        #expect(hints.filter { $0.key.contains("sound") } == [hint: value])
    }

    @Test func `a notification without a sound has the suppress-sound hint`() throws {
        let hints = NotifyArguments(
            try Samples.presentation(), for: Samples.server("", ["sound"])
        ).hints
        #expect(hints["suppress-sound"] == .bool(true))
    }

    @Test func `the desktop-entry hint is sent only for an installed desktop entry`() throws {
        var presentation = try Samples.presentation()
        presentation.application.hasDesktopEntry = false
        let hints = NotifyArguments(presentation, for: Samples.server()).hints
        #expect(hints == ["urgency": .byte(1)])
    }

    @Test(arguments: [
        ("Title", "Example", "Title"), ("", "Example", "Example"), ("", "", "org.example.App"),
        ("\u{1}\u{7F}", "Example", "Example"), (" \n ", "Example", "Example"),
    ])
    func `an empty title falls back on the app's name, and an empty name on the app's id`(
        title: String, name: String, expected: String
    ) throws {
        var presentation = try Samples.presentation(content: .with { $0.title = title })
        presentation.application.name = name
        let arguments = NotifyArguments(presentation, for: Samples.server())
        #expect(arguments.summary == expected)
        #expect(arguments.appName == (name.isEmpty ? "org.example.App" : name))
    }

    @Test func `a server without bodies gets the subtitle and the body in the title`() throws {
        let content = NotificationContent.with {
            $0.subtitle = "Sub"
            $0.body = "First\nsecond <b>"
        }
        let arguments = NotifyArguments(
            try Samples.presentation(content: content), for: Samples.server("", ["body-markup"]))
        #expect(arguments.summary == "Title – Sub – First second <b>")
        #expect(arguments.body == "")
        let short = NotifyArguments(
            try Samples.presentation(content: .with { $0.body = "" }), for: Samples.server("", []))
        #expect(short.summary == "Title")
    }

    @Test(arguments: [
        (true, InterruptionLevel.active, false, Int32(0)), (true, .timeSensitive, false, 0),
        (true, .critical, false, 0), (true, .passive, false, -1), (true, .active, true, -1),
        (false, .active, false, -1), (false, .critical, true, -1),
    ])
    func `a server without a notification list keeps a scheduled popup, unless it is passive`(
        isScheduled: Bool, level: InterruptionLevel, isPersistent: Bool, expected: Int32
    ) throws {
        let presentation = try Samples.presentation(
            trigger: isScheduled ? .interval(seconds: 5, repeats: false) : nil,
            content: .with { $0.interruptionLevel = level })
        let server = Samples.server("", isPersistent ? ["persistence"] : [])
        #expect(NotifyArguments(presentation, for: server).expireTimeout == expected)
    }

    @Test func `the caller's options and hints take precedence over the presenter's`() throws {
        let content = NotificationContent.with {
            var desktop = DesktopOptions()
            desktop.icon = "/tmp/icon.png"
            desktop.expireTimeout = 1_234
            desktop.category = "email.arrived"
            desktop.urgency = 2
            desktop.isTransient = true
            desktop.hints = [
                "x-one": .boolean(true), "x-two": .byte(3), "x-three": .integer(-4),
                "x-four": .double(0.5), "x-five": .string("six"), "urgency": .string("bad"),
            ]
            $0.desktop = desktop
            $0.interruptionLevel = .passive
        }
        let arguments = NotifyArguments(
            try Samples.presentation(
                trigger: .interval(seconds: 5, repeats: false), options: [.list], content: content),
            for: Samples.server())
        #expect(arguments.appIcon == "/tmp/icon.png")
        #expect(arguments.expireTimeout == 1_234)
        #expect(
            arguments.hints == [
                "desktop-entry": .string("org.example.App"), "urgency": .byte(2),
                "category": .string("email.arrived"), "transient": .bool(true),
                "x-one": .bool(true), "x-two": .byte(3), "x-three": .int32(-4),
                "x-four": .double(0.5), "x-five": .string("six"),
            ])
    }

    /// `suppress-sound` would silence the sound that the caller's hint names.
    @Test(
        arguments: [
            (PresentationOptions.all, ["sound-file": .string("/a/bell.wav")]),
            ([.banner, .list], ["suppress-sound": .bool(true)]),
        ] as [(PresentationOptions, [String: BusValue])])
    func `a caller's own sound is sent only if the popup may have a sound`(
        options: PresentationOptions, expected: [String: BusValue]
    ) throws {
        let content = NotificationContent.with {
            $0.desktop = DesktopOptions()
            $0.desktop?.hints["sound-file"] = .string("/a/bell.wav")
        }
        let hints = NotifyArguments(
            try Samples.presentation(options: options, content: content),
            for: Samples.server("", ["sound"])
        ).hints
        #expect(hints.filter { $0.key.contains("sound") } == expected)
    }

    @Test func `a popup that is not transient has no transient hint`() throws {
        let content = NotificationContent.with { $0.desktop = DesktopOptions() }
        let hints = NotifyArguments(
            try Samples.presentation(content: content), for: Samples.server()
        ).hints
        // Xfce reads every value of the hint as true.
        #expect(hints["transient"] == nil)
    }
}
