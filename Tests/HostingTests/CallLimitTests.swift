import CenterInterface
import DesktopBus
import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// Calls to a real daemon that come too early, are too large, or are too many.
@Suite(.serialized, .timeLimit(.minutes(3))) struct CallLimitTests {
    private static func call(_ member: MemberName, _ arguments: [BusValue] = []) -> MethodCall {
        MethodCall(
            destination: CenterName.bus, path: CenterName.path, interface: CenterName.interface,
            member: member, arguments: arguments)
    }

    private static func request(_ identifier: String, title: String = "T") -> BusValue {
        .vardict([
            ("id", .string(identifier)), ("title", .string(title)),
            ("trigger", .vardict([("kind", .string("interval")), ("seconds", .double(86_400))])),
        ])
    }

    private static let app = BusValue.string("org.example.Caller")
    private static let noFiles = BusValue.array(element: "h", [])

    /// The bus starts the daemon for a call, and delivers the call when the daemon owns its name.
    @Test func `the daemon answers a call that arrives as soon as it owns its name`() async throws {
        let bus = try PrivateBus()
        let connection = try await BusConnection.open(on: bus, name: "early")
        for round in 0..<4 {
            let answers = Recording<Result<BusReply, BusError>>()
            let watch = try await connection.watchOwner(of: CenterName.bus) { owner in
                guard owner != nil else { return }
                for member in ["Status", "Permissions"] as [MemberName] {
                    connection.call(Self.call(member)) { answers.append($0) }
                }
            }
            // These repeated calls may arrive even earlier, when the daemon does not yet know that
            // it owns its name.
            let persistent = Task {
                while true {
                    do throws(BusError) {
                        return try await connection.call(Self.call("Status")).arguments.count
                    } catch {
                        let isAbsent =
                            error.remoteName == "org.freedesktop.DBus.Error.ServiceUnknown"
                        guard isAbsent, !Task.isCancelled else { throw error }
                    }
                }
            }
            let daemon = try RunningProgram(
                try HostedService.program("tocsind"), environment: bus.environment)
            for answer in try await answers.first(2) {
                #expect(throws: Never.self, "round \(round)") { try answer.get() }
            }
            #expect(try await persistent.value == 1, "round \(round)")
            watch.cancel()
            daemon.signal(SIGTERM)
            #expect(try await daemon.exit() == 0)
        }
    }

    /// An engine that runs in the app accepts this request, so the daemon must accept it, too.
    @Test func `a request of the largest size is accepted even if it has many small values`()
        async throws
    {
        let bus = try PrivateBus()
        let daemon = try await HostedService.startDaemon(on: bus)
        let center = try await HostedService.client(on: bus)
        var content = NotificationContent(title: "T")
        content.userInfo = ["a": .array(Array(repeating: .integer(1), count: 130_000))]
        let request = NotificationRequest(
            identifier: "a", content: content, trigger: .interval(seconds: 86_400, repeats: false))
        try await center.add(request, attachments: [], for: .tocsin)
        #expect(try await center.pending(of: .tocsin).map(\.request) == [request])
        await daemon.stop()
    }

    @Test func `a call that is too large is refused, and the daemon answers later calls`()
        async throws
    {
        let bus = try PrivateBus()
        let daemon = try await HostedService.startDaemon(on: bus)
        let connection = try await BusConnection.open(on: bus, name: "large")
        let owner = try await connection.owner(of: CenterName.bus)
        let text = String(repeating: "x", count: Limits.call.most + 1)
        let many = (0...Limits.requestsOfCall.most).map { Self.request("r\($0)") }
        let calls: [(MethodCall, String)] = [
            (
                Self.call("Add", [Self.app, Self.request("a", title: text), Self.noFiles]),
                "org.freedesktop.DBus.Error.LimitsExceeded"
            ),
            // These values are small on the wire, and many times larger in memory.
            (
                Self.call("Remove", [Self.app, .strings(Array(repeating: "", count: 300_000))]),
                "org.freedesktop.DBus.Error.LimitsExceeded"
            ),
            (
                Self.call(
                    "AddMany", [Self.app, .array(element: "a{sv}", many), Self.noFiles]),
                "org.tocsin.Error.LimitReached"
            ),
        ]
        for (call, name) in calls {
            do throws(BusError) {
                _ = try await connection.call(call)
                Issue.record("\(call.member) was accepted")
            } catch {
                #expect(error.remoteName?.rawValue == name, "\(call.member): \(error)")
            }
        }
        let center = try await HostedService.client(on: bus)
        #expect(try await center.pending(of: nil).isEmpty)
        _ = try await connection.call(
            Self.call("Add", [Self.app, Self.request("a"), Self.noFiles]))
        #expect(try await center.pending(of: nil).map(\.request.identifier) == ["a"])
        #expect(try await connection.owner(of: CenterName.bus) == owner)
        daemon.signal(SIGTERM)
        #expect(try await daemon.exit() == 0)
    }

    /// Without this limit, a call could name 130,000 identifiers.
    ///
    /// The popups and the calls of all other apps would wait while the store looks them up.
    @Test func `a call with more identifiers than the limit is refused`() async throws {
        let bus = try PrivateBus()
        let daemon = try await HostedService.startDaemon(on: bus)
        let connection = try await BusConnection.open(on: bus, name: "identifiers")
        let many = BusValue.strings((0...Limits.requestsOfCall.most).map { "r\($0)" })
        let options = BusValue.vardict([("identifiers", many)])
        let calls: [(member: MemberName, argument: BusValue)] = [
            ("Remove", many), ("RemoveDelivered", many), ("Pending", options),
            ("PendingLines", options), ("Delivered", options), ("Records", options),
        ]
        for (member, argument) in calls {
            do throws(BusError) {
                _ = try await connection.call(Self.call(member, [Self.app, argument]))
                Issue.record("\(member) was accepted")
            } catch {
                #expect(
                    error.remoteName?.rawValue == "org.tocsin.Error.LimitReached",
                    "\(member): \(error)")
            }
        }
        daemon.signal(SIGTERM)
        #expect(try await daemon.exit() == 0)
    }

    @Test func `the client removes more requests than fit into one call`() async throws {
        let bus = try PrivateBus()
        let daemon = try await HostedService.startDaemon(on: bus)
        let center = try await HostedService.client(on: bus)
        let names = (0...Limits.requestsOfCall.most).map { "r\($0)" }
        for name in [names.first, names.last].compactMap(\.self) {
            try await center.add(
                NotificationRequest(
                    identifier: name, content: NotificationContent(title: "T"),
                    trigger: .interval(seconds: 86_400, repeats: false)), attachments: [],
                for: .tocsin)
        }
        try await center.removePending(.identifiers(names), of: .tocsin)
        #expect(try await center.pending(of: .tocsin).isEmpty)
        daemon.signal(SIGTERM)
        #expect(try await daemon.exit() == 0)
    }

    @Test func `calls above the limit are refused, and the requests of accepted calls are kept`()
        async throws
    {
        let bus = try PrivateBus()
        let daemon = try await HostedService.startDaemon(on: bus)
        let connection = try await BusConnection.open(on: bus, name: "many")
        let answers = Recording<String?>()
        let count = 4_000
        // The daemon reads all calls together when it continues.
        daemon.signal(SIGSTOP)
        for number in 0..<count {
            let call = Self.call("Add", [Self.app, Self.request("r\(number)"), Self.noFiles])
            connection.call(call, timeout: .seconds(60)) { result in
                switch result {
                case .success: answers.append(nil)
                case .failure(let error): answers.append(error.remoteName?.rawValue ?? "\(error)")
                }
            }
        }
        await connection.flush()
        daemon.signal(SIGCONT)
        let all = try await answers.first(count)
        #expect(Set(all.compactMap(\.self)) == ["org.freedesktop.DBus.Error.LimitsExceeded"])
        let accepted = all.count { $0 == nil }
        print("calls: the daemon accepted \(accepted) of \(count)")
        #expect(accepted > 0)
        let center = try await HostedService.client(on: bus)
        #expect(try await center.pending(of: nil).count == accepted)
        _ = try await connection.call(
            Self.call("Add", [Self.app, Self.request("again"), Self.noFiles]))
        #expect(try await center.pending(of: nil).count == accepted + 1)
        daemon.signal(SIGTERM)
        #expect(try await daemon.exit() == 0)
    }
}
