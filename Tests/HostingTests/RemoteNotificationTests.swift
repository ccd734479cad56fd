import DesktopBus
import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing
import WebPush

/// Remote notifications: a push distributor sends messages to a real daemon, which shows popups.
@Suite(.timeLimit(.minutes(5))) struct RemoteNotificationTests {
    /// A session with a server, a distributor and a daemon.
    private struct Stage {
        let bus: PrivateBus
        let server: ScriptedServer
        let distributor: ScriptedDistributor
        let center: HostedService

        static func run(
            version: Int = 2, refusing: [String] = [], _ body: (Stage) async throws -> Void
        ) async throws {
            let bus = try PrivateBus()
            try await BusRecorder.recording(bus) {
                let server = try await ScriptedServer.start(on: bus)
                let distributor = try await ScriptedDistributor.start(
                    on: bus, version: version, refusing: refusing)
                let center = try await HostedService.start(.daemon, on: bus)
                try await body(
                    Stage(bus: bus, server: server, distributor: distributor, center: center))
                await center.stop()
                await distributor.stop()
                await server.stop()
            }
        }

        /// Registers the app, and returns its subscription and its token.
        func register() async throws -> (subscription: PushSubscription, token: String) {
            let json = try await center.service.registerForPushes(center.app, serverKey: nil)
            let subscription = try PushSubscription(json: json)
            let token = try #require(subscription.endpoint.split(separator: "/").last)
            return (subscription, String(token))
        }

        /// The nth subscription that the app received, counted from 1; nil for the end of a
        /// registration.
        func subscription(_ count: Int) async throws -> PushSubscription? {
            let events = try await center.events.wait(for: "subscription \(count)") {
                $0.compactMap(\.subscription).count >= count
            }
            return try events.compactMap(\.subscription)[count - 1].map {
                try PushSubscription(json: $0)
            }
        }
    }

    private static func payload(_ text: String) -> [UInt8] { Array(text.utf8) }
    private static let alert = payload(#"{"aps":{"alert":{"title":"Mail","body":"Hi"}},"id":7}"#)

    @Test(arguments: [1, 2])
    func `a message of a distributor becomes a popup`(_ version: Int) async throws {
        try await Stage.run(version: version) { stage in
            try await stage.center.connect()
            let (subscription, token) = try await stage.register()
            let call = try #require(stage.distributor.registrations.all.first)
            #expect(call.service == "org.tocsin.NotificationCenter1")
            #expect(call.description == "Test App")
            #expect(UUID(uuidString: token) != nil)
            let body = try MessageEncryption.encrypt(Self.alert, for: subscription)
            let id = try await stage.distributor.send(body, to: token, id: "m1")
            #expect(id == (version == 2 ? "m1" : nil))
            let post = try await stage.server.calls.wait(for: "the popup") { !$0.isEmpty }[0]
            #expect(post.summary == "Mail" && post.body == "Hi" && post.appName == "Test App")
            try await stage.center.settled { _, delivered in delivered.count == 1 }
            let request = try #require(
                try await stage.center.service.delivered(of: nil).first?.request)
            #expect(request.trigger == .push)
            #expect(request.content.userInfo["id"] == .integer(7))
        }
    }

    @Test func `headers in the payload make a message quiet and let it replace an older one`()
        async throws
    {
        try await Stage.run { stage in
            let (subscription, token) = try await stage.register()
            for text in ["1:0", "2:0"] {
                let payload = Self.payload(
                    #"{"aps":{"alert":"\#(text)"},"apns-headers":{"apns-collapse-id":"score","#
                        + #""apns-priority":1}}"#)
                let body = try MessageEncryption.encrypt(payload, for: subscription)
                try await stage.distributor.send(body, to: token)
            }
            let posts = try await stage.server.calls.wait(for: "both posts") { $0.count == 2 }
            #expect(posts[1].replacesID == posts[0].id)
            try await stage.center.settled { _, delivered in
                delivered.map(\.request.content.body) == ["2:0"]
            }
            let request = try #require(
                try await stage.center.service.delivered(of: nil).first?.request)
            #expect(request.identifier == "score")
            #expect(request.content.interruptionLevel == .passive)
            #expect(request.content.userInfo["apns-headers"] == nil)
        }
    }

    @Test func `an unreadable message is counted, acknowledged and never shown`() async throws {
        try await Stage.run { stage in
            let (subscription, token) = try await stage.register()
            var body = try MessageEncryption.encrypt(Self.alert, for: subscription)
            body[body.count - 1] ^= 1
            #expect(try await stage.distributor.send(body, to: token, id: "bad") == "bad")
            let noPayload = try MessageEncryption.encrypt(
                Self.payload("not JSON"), for: subscription)
            #expect(try await stage.distributor.send(noPayload, to: token, id: "no") == "no")
            #expect(try await stage.center.service.status().push.unreadableCount == 2)
            #expect(stage.server.calls.all.isEmpty)
            #expect(try await stage.center.service.pending(of: nil).isEmpty)
        }
    }

    @Test func `an unknown token and a malformed call have no effect`() async throws {
        try await Stage.run { stage in
            let (subscription, token) = try await stage.register()
            let body = BusValue.bytes(try MessageEncryption.encrypt(Self.alert, for: subscription))
            for entries in [
                [("token", BusValue.string("another")), ("message", body)],
                [("token", .string(token)), ("message", .bytes([]))],
                [("token", .string(token)), ("message", body), ("id", .bool(true))],
                [("message", body)],
            ] {
                let reply = try await stage.distributor.sendRaw([.vardict(entries)], to: token)
                #expect(reply?.arguments == [.vardict([])])
            }
            #expect(try await stage.center.service.status().push.unreadableCount == 0)
            // A popup of an earlier call would appear before this popup.
            let last = try MessageEncryption.encrypt(
                Self.payload(#"{"aps":{"alert":{"title":"Last"}}}"#), for: subscription)
            try await stage.distributor.send(last, to: token)
            #expect(try await stage.server.calls.first(1)[0].summary == "Last")
        }
    }

    @Test(arguments: [1, 2])
    func `a message that the distributor sends again after a kill is shown once`(
        _ version: Int
    ) async throws {
        try await Stage.run(version: version) { stage in
            let (subscription, token) = try await stage.register()
            let body = try MessageEncryption.encrypt(Self.alert, for: subscription)
            try await stage.distributor.send(body, to: token)
            try await stage.server.calls.wait(for: "the popup") { !$0.isEmpty }
            try await stage.center.settled { _, delivered in delivered.count == 1 }
            // The distributor may have no reply from the killed daemon, so it sends the message
            // again.
            await stage.center.kill()
            let daemon = try await HostedService.startDaemon(on: stage.bus)
            try await stage.distributor.registrations.wait(for: "the second registration") {
                $0.count == 2
            }
            #expect(Set(stage.distributor.registrations.all.map(\.token)) == [token])
            try await stage.distributor.send(body, to: token)
            let other = try MessageEncryption.encrypt(
                Self.payload(#"{"aps":{"alert":"Other"}}"#), for: subscription)
            try await stage.distributor.send(other, to: token)
            let posts = try await stage.server.calls.wait(for: "the other message") {
                $0.contains { $0.summary == "Other" || $0.body == "Other" }
            }
            #expect(posts.count { $0.summary == "Mail" } == 1)
            await daemon.stop()
        }
    }

    @Test func `a running app gets its new endpoint and the end of its registration`()
        async throws
    {
        try await Stage.run { stage in
            try await stage.center.connect()
            let (subscription, token) = try await stage.register()
            #expect(try await stage.subscription(1) == subscription)
            try await stage.distributor.move(to: "https://other.example")
            let moved = try #require(try await stage.subscription(2))
            #expect(moved.endpoint == "https://other.example/\(token)")
            #expect(moved.publicKey == subscription.publicKey, "the keys stay")
            try await stage.distributor.drop(token)
            #expect(try await stage.subscription(3) == nil)
            let again = try await stage.register()
            #expect(again.token != token)
            #expect(again.subscription.publicKey != subscription.publicKey)
        }
    }

    @Test func `unregistering reaches the distributor, and the next registration has other keys`()
        async throws
    {
        try await Stage.run { stage in
            let (subscription, token) = try await stage.register()
            try await stage.center.service.unregisterFromPushes(stage.center.app)
            try await stage.distributor.unregistrations.wait(for: "Unregister") { $0 == [token] }
            let again = try await stage.register()
            #expect(again.token != token)
            #expect(again.subscription.publicKey != subscription.publicKey)
            #expect(
                again.subscription.authenticationSecret != subscription.authenticationSecret)
        }
    }

    @Test func `a distributor that comes back gets the same tokens`() async throws {
        try await Stage.run { stage in
            let (_, token) = try await stage.register()
            await stage.distributor.stop()
            let other = try await ScriptedDistributor.start(on: stage.bus)
            try await other.registrations.wait(for: "the registration") {
                $0.map(\.token) == [token]
            }
            await other.stop()
        }
    }

    @Test func `a distributor's refusal reaches the app as an error that names a remedy`()
        async throws
    {
        try await Stage.run(refusing: ["ACTION_REQUIRED"]) { stage in
            let error = await #expect(throws: NotificationError.self) {
                try await stage.center.service.registerForPushes(
                    stage.center.app, serverKey: nil)
            }
            #expect(error?.code == .distributorRefused)
            #expect(error?.message.contains("log in") == true)
            let (_, token) = try await stage.register()
            #expect(Set(stage.distributor.registrations.all.map(\.token)) == [token])
        }
    }

    @Test(arguments: Hosting.allCases)
    func `without a distributor or a daemon, the error says what is missing`(
        _ hosting: Hosting
    ) async throws {
        let bus = try PrivateBus()
        let center = try await HostedService.start(hosting, on: bus)
        let error = await #expect(throws: NotificationError.self) {
            try await center.service.registerForPushes(center.app, serverKey: nil)
        }
        #expect(error?.code == (hosting == .daemon ? .noDistributor : .noDaemon))
        let remedy = hosting == .daemon ? "KUnifiedPush" : "Install tocsind"
        #expect(error?.message.contains(remedy) == true)
        await center.stop()
    }

    @Test func `a message starts a daemon that was not running`() async throws {
        let program = try HostedService.program("tocsind")
        let bus = try PrivateBus(services: [
            "org.tocsin.NotificationCenter1.service":
                "[D-BUS Service]\nName=org.tocsin.NotificationCenter1\nExec=\(program)\n"
        ])
        try await BusRecorder.recording(bus) {
            let server = try await ScriptedServer.start(on: bus)
            let distributor = try await ScriptedDistributor.start(on: bus)
            let app = try ApplicationID("org.tocsin.Test")
            let first = try await HostedService.startDaemon(on: bus)
            let json = try await HostedService.client(on: bus).registerForPushes(
                app, serverKey: nil)
            await first.stop()
            let subscription = try PushSubscription(json: json)
            let token = try #require(subscription.endpoint.split(separator: "/").last)
            let body = try MessageEncryption.encrypt(Self.alert, for: subscription)
            #expect(try await distributor.send(body, to: String(token), id: "m1") == "m1")
            let post = try await server.calls.wait(for: "the popup") { !$0.isEmpty }[0]
            #expect(post.summary == "Mail")
            let connection = try await BusConnection.open(on: bus, name: "end")
            let daemon = try await connection.credentials(of: "org.tocsin.NotificationCenter1")
            let pid = try #require(daemon.pid)
            let owners = Recording<BusName?>()
            let watch = try await connection.watchOwner(of: "org.tocsin.NotificationCenter1") {
                owners.append($0)
            }
            kill(Int32(pid), SIGTERM)
            try await owners.wait(for: "the end of the daemon") { $0.last == .some(nil) }
            watch.cancel()
            await connection.close()
            await distributor.stop()
            await server.stop()
        }
    }

    @Test func `a silent push reaches the running app and shows nothing`() async throws {
        try await Stage.run { stage in
            try await stage.center.connect()
            let (subscription, token) = try await stage.register()
            let payload = Self.payload(#"{"aps":{"content-available":1},"feed":"news"}"#)
            let body = try MessageEncryption.encrypt(payload, for: subscription)
            try await stage.distributor.send(body, to: token)
            // The daemon does not pass on the second copy of a silent message.
            try await stage.distributor.send(body, to: token)
            let last = Self.payload(#"{"aps":{"content-available":1},"feed":"last"}"#)
            try await stage.distributor.send(
                try MessageEncryption.encrypt(last, for: subscription), to: token)
            let events = try await stage.center.events.wait(for: "the last payload") {
                $0.compactMap(\.pushed).contains(last)
            }
            #expect(events.compactMap(\.pushed) == [payload, last])
            #expect(stage.server.calls.all.isEmpty)
        }
    }

    @Test func `after the user chooses another distributor, the app is registered with that one`()
        async throws
    {
        try await Stage.run { stage in
            try await stage.center.connect()
            let (_, token) = try await stage.register()
            let other = try await ScriptedDistributor.start(on: stage.bus, name: "other")
            let error = await #expect(throws: NotificationError.self) {
                try await stage.center.service.choosePushDistributor("third")
            }
            #expect(error?.code == .noDistributor)
            #expect(error?.message.contains("other, scripted") == true)
            try await stage.center.service.choosePushDistributor("other")
            try await other.registrations.wait(for: "the registration") {
                $0.map(\.token) == [token]
            }
            try await stage.distributor.unregistrations.wait(for: "Unregister") { $0 == [token] }
            let status = try await stage.center.service.status().push
            #expect(status.chosen == "other" && status.distributor == "other")
            await other.stop()
        }
    }
}

/// A UIKit app in a process of its own: it registers and ends, and a click starts it again.
@Suite(.timeLimit(.minutes(5))) struct PushedAppTests {
    @Test
    func `a click on a pushed popup starts the app, whose delegates get the push and the response`()
        async throws
    {
        let bus = try PrivateBus()
        try await BusRecorder.recording(bus) {
            let server = try await ScriptedServer.start(on: bus)
            let distributor = try await ScriptedDistributor.start(on: bus)
            let stage = try await PushedApp.start(on: bus, environment: bus.environment)
            let (subscription, token) = try await stage.register()
            let silent = Array(#"{"aps":{"content-available":1},"feed":"news"}"#.utf8)
            try await distributor.send(
                try MessageEncryption.encrypt(silent, for: subscription), to: token)
            try await stage.lines.first("the silent push") { $0 == "message news" }
            try await distributor.move(to: "https://other.example")
            try await stage.lines.wait(for: "the second token") {
                $0.count { $0.hasPrefix("token ") } == 2
            }
            try await stage.endApp()
            let alert = Array(#"{"aps":{"alert":{"title":"Goal"}},"match":7}"#.utf8)
            try await distributor.send(
                try MessageEncryption.encrypt(alert, for: subscription), to: token)
            let post = try await server.calls.first("the popup") { $0.summary == "Goal" }
            try await stage.untilDelivered()
            try await server.click(post.id, "default")
            try await stage.expectStart(match: "7")
            await stage.stop()
            await distributor.stop()
            await server.stop()
        }
    }
}

extension ServiceEvent {
    /// The subscription of a change event; the inner value is nil at the end of a registration.
    fileprivate var subscription: [UInt8]?? {
        guard case .subscriptionChanged(let subscription, _) = self else { return nil }
        return .some(subscription)
    }

    fileprivate var pushed: [UInt8]? {
        guard case .pushReceived(let payload, _) = self else { return nil }
        return payload
    }
}
