import DesktopBus
import NotificationModel
import Reactor
import ScriptedService
import TestSupport
import Testing

@testable import CenterInterface

/// A sandboxed program has access only to its own app.
@Suite(.timeLimit(.minutes(2))) struct CallerRightsTests {
    private static let own = "org.example.Own"

    private static func facts(_ change: (inout CallerFacts) -> Void = { _ in }) -> CallerFacts {
        var facts = CallerFacts(user: 1_000)
        facts.sharesOurWorld = true
        facts.executable = "/usr/bin/app"
        facts.controlGroups = "0::/user.slice/app.slice/app-org.example.Own-1.scope\n"
        change(&facts)
        return facts
    }

    private static func scope(
        _ change: (inout CallerFacts) -> Void = { _ in }
    ) -> CallerRights.Scope {
        CallerRights(facts(change), user: 1_000).scope
    }

    private static func app(_ id: String) -> CallerRights.Scope {
        (try? ApplicationID(id)).map { .app($0) } ?? .stranger
    }

    @Test func `a caller is identified by its sandbox`() {
        #expect(Self.scope() == .user)
        #expect(Self.scope { $0.user = 1_001 } == .stranger)
        #expect(Self.scope { $0.user = nil } == .stranger)
        #expect(Self.scope { $0.sharesOurWorld = false } == .unknownSandbox)
        let info = "[Application]\nname=org.example.Own\n[Instance]\nname=org.example.Other\n"
        #expect(Self.scope { $0.flatpak = .info(info) } == Self.app(Self.own))
        #expect(Self.scope { $0.flatpak = .info(nil) } == .unknownSandbox)
        #expect(Self.scope { $0.flatpak = .info("[Runtime]\nname=a\n") } == .unknownSandbox)
        #expect(Self.scope { $0.flatpak = .info("[Application]\nname=../a\n") } == .unknownSandbox)
    }

    @Test func `a snap is recognized by its label or its control group`() {
        let scope = "0::/user.slice/snap.fire_x.fire-fox-01234567-89ab-cdef-0123-456789abcdef.scope"
        #expect(
            Self.scope {
                $0.controlGroups = scope
                $0.sharesOurWorld = false
            } == Self.app("fire_x_fire-fox"))
        #expect(Self.scope { $0.label = "snap.editor.edit (enforce)" } == Self.app("editor_edit"))
        // Snaps in classic confinement have the rights of the user. So do programs that are started
        // from a terminal in such a snap.
        #expect(Self.scope { $0.label = "snap.code.code (complain)" } == .user)
        let classic = Self.facts { $0.controlGroups = scope }
        #expect(CallerRights(classic, user: 1_000).scope == .user)
        #expect(!CallerRights(classic, user: 1_000).runs("/usr/bin/app"))
    }

    // MARK: Every member, called

    private struct Stage {
        let service: ScriptedService
        let table: InterfaceTable
    }

    private static func exporter(_ rights: CallerRights) throws -> Stage {
        let connection = BusConnection(
            address: try BusAddress("unix:path=/nowhere"), reactor: Reactor.started("rights"))
        let service = ScriptedService()
        let exporter = ServiceExporter(service: service, connection: connection) { _ in rights }
        return Stage(service: service, table: exporter.table)
    }

    /// Returns arguments of the method's types; an argument that names an app names this app.
    private static func arguments(_ entry: MethodEntry, naming app: String) -> [BusValue] {
        entry.in.enumerated().map { index, argument in
            switch argument.signature.rawValue {
            case "s": .string(index == 0 ? app : "allow")
            case "a{sv}": .vardict(index == 0 ? [("id", .string(app))] : [])
            case "as": .strings([])
            case "aa{sv}": .dictionaries([])
            case "ah": .array(element: "h", [])
            case "ay": .bytes([])
            case "t": .uint64(1)
            case "u": .uint32(0)
            case "x": .int64(0)
            default: .bool(false)
            }
        }
    }

    /// Calls a method, and returns the D-Bus name of its error.
    static func error(
        _ entry: MethodEntry, naming app: String
    ) async -> String? {
        do {
            let invocation = MethodInvocation(
                sender: ":1.7", member: entry.name, arguments: arguments(entry, naming: app))
            _ = try await entry.admission?(invocation.sender, invocation.member)
            try await entry.approval?(invocation)
            _ = try await entry.handler(invocation)
            return nil
        } catch {
            return (error as? BusError)?.remoteName?.rawValue
        }
    }

    private static let denied = "org.tocsin.Error.AccessDenied"
    /// The members that name no app.
    private static let free: Set<String> = ["Status", "DecidePresentation", "Unwatch"]

    @Test(arguments: ["org.example.Other", ""])
    func `a sandboxed app may call no member for another app`(app: String) async throws {
        let stage = try Self.exporter(CallerRights(scope: Self.app(Self.own)))
        for entry in stage.table.methods {
            let error = await Self.error(entry, naming: app)
            #expect(
                (error == Self.denied) != Self.free.contains(entry.name.rawValue), "\(entry.name)")
        }
        #expect(stage.service.calls.all.map(\.member) == [Members.status.name])
    }

    @Test func `a sandboxed app may call members for itself, but not decide for the user`()
        async throws
    {
        let stage = try Self.exporter(CallerRights(scope: Self.app(Self.own)))
        let refused: Set<String> = [
            "ChoosePushDistributor", "Decide", "Permissions", "RequestLocation", "SetPreviews",
        ]
        // `Connect` subscribes on the bus, and this exporter has no bus.
        for entry in stage.table.methods where entry.name != "Connect" {
            let error = await Self.error(entry, naming: Self.own)
            #expect(
                (error == Self.denied) == refused.contains(entry.name.rawValue), "\(entry.name)")
        }
    }

    @Test func `a caller in an unknown sandbox or of another user may act for no app`()
        async throws
    {
        for rights in [CallerRights(scope: .unknownSandbox), .none] {
            let stage = try Self.exporter(rights)
            for entry in stage.table.methods {
                let isFree =
                    rights.scope == .unknownSandbox && Self.free.contains(entry.name.rawValue)
                let error = await Self.error(entry, naming: Self.own)
                #expect((error == Self.denied) == !isFree, "\(entry.name)")
            }
        }
    }

    @Test func `a program of the user may act for any app`() async throws {
        let stage = try Self.exporter(CallerRights(scope: .user))
        for entry in stage.table.methods where entry.name != "Connect" {
            #expect(await Self.error(entry, naming: "org.example.Any") != Self.denied)
        }
    }

    @Test func `a read of a property uses the quota of the caller's process`() async throws {
        let connection = BusConnection(
            address: try BusAddress("unix:path=/nowhere"), reactor: Reactor.started("rights"))
        let exporter = ServiceExporter(service: ScriptedService(), connection: connection) { _ in
            var rights = CallerRights(scope: .user)
            rights.quotaOwner = "7"
            return rights
        }
        let owner = try await exporter.object.propertyAdmission?(":1.7", "Get")
        #expect(owner == "7")
    }

    // MARK: Announcing from a sandbox

    /// A path of the sandbox names another file on the host, and a hint could name another app.
    @Test func `a sandboxed app's paths, and its hint that names another app, are removed`()
        async throws
    {
        let bus = try PrivateBus()
        let center = try await RemoteServiceTests.Center(
            on: bus, rights: CallerRights(scope: .app(.tocsin)))
        let client = try await center.client()
        var identity = ApplicationIdentity(
            id: .tocsin, name: "App", icon: "/srv/me/secret.png", executable: "/bin/sh",
            arguments: ["a"], directory: "/tmp", resources: ["/srv/me"])
        identity.startsInBackground = true
        _ = try await client.connect(identity, asksBeforePresenting: false) { _ in }
        // The service asks the user about the app, although the app sets no `needsPermission`.
        #expect(
            center.service.inputs(of: Members.connect).last?.identity
                == ApplicationIdentity(id: .tocsin, name: "App", needsPermission: true))
        var content = NotificationContent(title: "Tea")
        content.desktop = DesktopOptions()
        content.desktop?.hints = [
            "desktop-entry": .string("org.example.Other"), "value": .integer(5),
        ]
        try await client.add(
            NotificationRequest(identifier: "a", content: content), attachments: [], for: .tocsin)
        let added = try #require(center.service.inputs(of: Members.add).last?.1)
        #expect(added.content.desktop?.hints == ["value": .integer(5)])
    }

    @Test func `only the asked connection can answer a question about a popup`() async throws {
        let center = try await RemoteServiceTests.Center(on: PrivateBus())
        let app = try await center.client()
        let other = try await center.client()
        let asked = Recording<PresentationToken>()
        _ = try await app.connect(.init(id: .tocsin, name: "T"), asksBeforePresenting: true) {
            if case .willPresent(let token, _) = $0 { asked.append(token) }
        }
        let token = PresentationToken(rawValue: 9)
        let notification = DeliveredNotification(
            app: .tocsin,
            request: NotificationRequest(identifier: "a", content: .init(title: "a")),
            date: Instant(microseconds: 0))
        await center.service.send(.willPresent(token, notification))
        try await asked.first(1)
        await other.answer(token, with: [])
        _ = try await other.status()
        await app.answer(token, with: .banner)
        let decisions = center.service.inputs(of: Members.decidePresentation)
        #expect(decisions.map(\.0) == [token])
        #expect(decisions.map(\.1) == [.banner])
    }
}
