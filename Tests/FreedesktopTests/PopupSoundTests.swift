import NotificationModel
import TestSupport
import Testing

@testable import Freedesktop

/// The sound of a popup on a server that plays no sounds.
@Suite(.timeLimit(.minutes(2)))
struct PopupSoundTests {
    private func request(
        _ sound: NotificationSound?, _ level: InterruptionLevel = .active,
        options: PresentationOptions = .all, found: SoundChoice? = nil
    ) throws -> SoundRequest? {
        var presentation = try Samples.presentation(
            options: options,
            content: .with {
                $0.sound = sound
                $0.interruptionLevel = level
            })
        presentation.sound = found
        return PopupSound(of: presentation).request
    }

    @Test func `each sound is a theme's sound, or a file with a theme's sound as fallback`() throws
    {
        #expect(
            try request(NotificationSound(.standard)) == SoundRequest(name: "message-new-instant"))
        #expect(try request(NotificationSound(.named("bell"))) == SoundRequest(name: "bell"))
        #expect(
            try request(NotificationSound(.named("a.wav")), found: .file("/a.wav"))
                == SoundRequest(name: "message-new-instant", path: "/a.wav"))
        #expect(
            try request(NotificationSound(.ringtoneNamed("r.wav")), found: .standard)
                == SoundRequest(name: "phone-incoming-call"))
    }

    @Test func `only a critical sound has a volume and breaks through Do Not Disturb`() throws {
        #expect(
            try request(NotificationSound(.standard, isCritical: true, volume: 0.25))
                == SoundRequest(name: "dialog-warning", volume: 0.25, isCritical: true))
        #expect(
            try request(NotificationSound(.standard, volume: 0.25))
                == SoundRequest(name: "message-new-instant"))
        #expect(
            try request(nil, .critical) == SoundRequest(name: "dialog-warning", isCritical: true))
    }

    @Test func `a passive, silent or disallowed notification makes no sound`() throws {
        #expect(try request(nil) == nil)
        #expect(try request(NotificationSound(.standard), .passive) == nil)
        #expect(try request(NotificationSound(.standard), options: [.banner, .list]) == nil)
    }

    @Test(arguments: [(["body"], true), (["body", "sound"], false)])
    func `a sound is requested after its popup if the server plays no sounds`(
        capabilities: [String], isWanted: Bool
    ) async throws {
        let bus = try PrivateBus()
        var script = ServerScript()
        script.capabilities = capabilities
        let server = try await ScriptedServer.start(on: bus, script: script)
        let stage = try await Stage.raised(on: bus)
        stage.posts.add([
            try Samples.presentation(
                token: 1, content: .with { $0.sound = NotificationSound(.named("bell")) }),
            try Samples.presentation("two", token: 2),
        ])
        try await stage.shown(2)
        let told = stage.reports.all.compactMap {
            switch $0 {
            case .sound(let app, let request): "\(app) \(request.name)"
            case .outcome(let token, _): "shown \(token)"
            default: nil
            }
        }
        #expect(told == ["shown 1"] + (isWanted ? ["org.example.App bell"] : []) + ["shown 2"])
        await server.stop()
    }

    /// Such a notification has no popup, so the server cannot play its sound.
    @Test(arguments: [["body"], ["body", "sound"]])
    func `a list-only notification makes a sound if its app wants the sound`(
        capabilities: [String]
    ) async throws {
        let bus = try PrivateBus()
        var script = ServerScript()
        script.capabilities = capabilities
        let server = try await ScriptedServer.start(on: bus, script: script)
        let stage = try await Stage.raised(on: bus)
        let wanted: [(name: String, options: PresentationOptions)] = [
            ("heard", [.list, .sound]), ("silent", .list),
        ]
        for (index, (name, options)) in wanted.enumerated() {
            var listed = try Samples.presentation(
                name, token: UInt64(index + 1), options: options,
                content: .with { $0.sound = NotificationSound(.named(name)) })
            listed.isForListOnly = true
            stage.posts.add([listed])
            #expect(try await stage.outcome(of: listed.token) == .deliveredSilently)
        }
        let sounds = stage.reports.all.filter { if case .sound = $0 { true } else { false } }
        #expect(sounds == [.sound("org.example.App", SoundRequest(name: "heard"))])
        #expect(server.calls.all.isEmpty)
        await server.stop()
    }

    @Test func `portal version 1 gets no list-only notification, but its sound is requested`()
        async throws
    {
        let bus = try PrivateBus()
        let portal = try await ScriptedPortal.start(on: bus)
        let desk = try await PortalPresenterTests.Desk(on: bus)
        var listed = try Samples.presentation(
            options: [.list, .sound],
            content: .with { $0.sound = NotificationSound(.named("bell")) })
        listed.isForListOnly = true
        desk.presenter.post([listed])
        #expect(try await desk.outcome(of: 1) == .deliveredSilently)
        #expect(desk.reports.all.contains(.sound("org.example.App", SoundRequest(name: "bell"))))
        #expect(portal.calls.all.isEmpty)
        await portal.stop()
    }
}
