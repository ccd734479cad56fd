import Foundation
import HostingSupport
import NotificationModel
import NotificationStore
import TestSupport
import Testing
import WebPush
import WebPushSender

/// The daemon and the distributor are killed at random instants while messages arrive.
///
/// `make test-kill` runs this test for longer.
@Suite struct PushKillTests {
    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }

    /// A session with a notification server, an ntfy server, a distributor and a daemon.
    private final class Stage {
        let bus: PrivateBus
        let app: ApplicationID
        let server: ScriptedServer
        private let ntfy: NtfyServer
        private let layout: StoreLayout
        private var distributor: RunningProgram
        private var daemon: RunningProgram
        private var kills = 0
        /// The notifications in flight when a daemon was killed; the next daemon shows them again.
        private(set) var inFlight: Set<String> = []

        init() async throws {
            bus = try PrivateBus()
            app = try ApplicationID("org.tocsin.Test")
            server = try await ScriptedServer.start(on: bus)
            ntfy = try await NtfyServer(.double, host: NtfyServer.freeHost(), in: bus.directory)
            distributor = try await DistributorProgram.start(on: bus, server: ntfy.address)
            daemon = try await HostedService.startDaemon(on: bus)
            let store = try await HostedService.client(on: bus).status().store
            layout = StoreLayout(
                directory: URL(filePath: store).deletingLastPathComponent().path)
        }

        func register() async throws -> PushSubscription {
            let client = try await HostedService.client(on: bus)
            _ = try await client.connect(
                ApplicationIdentity(id: app, name: "Test App"), asksBeforePresenting: false,
                identifiers: nil
            ) { _ in }
            try await HostedService.allow(.daemon, on: bus)
            return try PushSubscription(
                json: try await client.registerForPushes(app, serverKey: nil))
        }

        func killDaemon() async throws {
            daemon.signal(SIGKILL)
            try await daemon.exit()
            kills += 1
            let folder = bus.directory + "/autopsy-\(kills)"
            let autopsy = try await StoreAutopsy(of: layout, app: app, in: folder)
            try FileManager.default.removeItem(atPath: folder)
            #expect(autopsy.isClean, "after kill \(kills) the store must be intact")
            inFlight.formUnion(autopsy.presenting)
            daemon = try await HostedService.startDaemon(on: bus)
        }

        func killDistributor() async throws {
            distributor.signal(SIGKILL)
            try await distributor.exit()
            kills += 1
            distributor = try await DistributorProgram.start(on: bus)
        }

        func stop() async {
            await distributor.stop()
            await daemon.stop()
            await ntfy.stop()
            await server.stop()
        }
    }

    @Test(.timeLimit(.minutes(30)))
    func `no message is lost, and only messages in flight at a kill are shown twice`() async throws
    {
        let rounds = Self.number("TOCSIN_KILL_ROUNDS") ?? 6
        var random = SeededGenerator(seed: UInt64(Self.number("TOCSIN_KILL_SEED") ?? 1))
        let stage = try await Stage()
        do {
            let subscription = try await stage.register()
            let sender = Sender(key: nil, subject: "")
            var sent: Set<String> = []
            for round in 0..<rounds {
                for number in 0..<4 {
                    let name = "\(round).\(number)"
                    let payload =
                        #"{"aps":{"alert":"\#(name)"},"apns-headers":"#
                        + #"{"apns-collapse-id":"\#(name)"}}"#
                    let message = PushMessage(Array(payload.utf8))
                    #expect(await sender.send(message, to: subscription) == .accepted)
                    sent.insert(name)
                }
                if Bool.random(using: &random) {
                    try await stage.killDaemon()
                } else {
                    try await stage.killDistributor()
                }
            }
            let calls = try await stage.server.calls.wait(for: "all messages", within: 300) {
                [sent] in sent.isSubset(of: $0.map(\.body))
            }
            var counts: [String: Int] = [:]
            for call in calls { counts[call.body, default: 0] += 1 }
            let twice = counts.filter { $0.value > 1 && !stage.inFlight.contains($0.key) }
            print(
                "push kill loop: rounds \(rounds), messages \(sent.count), lost 0, "
                    + "twice \(twice.count), in flight at a kill \(stage.inFlight.count)")
            #expect(twice.isEmpty)
            #expect(Set(counts.keys) == sent)
        } catch {
            await stage.stop()
            throw error
        }
        await stage.stop()
    }
}
