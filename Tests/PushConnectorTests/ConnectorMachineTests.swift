import DesktopBus
import NotificationModel
import Testing

@testable import PushConnector

/// The registrations of apps with a push distributor.
@Suite struct ConnectorMachineTests {
    private typealias Effect = ConnectorMachine.Effect

    private static let kde = "org.unifiedpush.Distributor.kde"
    private static let ntfy = "org.unifiedpush.Distributor.ntfy"

    /// A machine with a running distributor; the test acts as the bus and the store.
    private struct Track {
        var machine: ConnectorMachine
        var effects: [Effect] = []

        init(preset: String? = nil, running: Set<String> = [kde]) {
            machine = ConnectorMachine(preset: preset)
            effects = machine.load([], chosen: nil)
            effects = machine.servicesChanged(running: running, activatable: [])
        }

        static func app(_ number: Int) throws -> ApplicationID {
            try ApplicationID("org.example.App\(number)")
        }

        static func registration(
            _ number: Int, endpoint: String? = "https://push.example/1",
            of distributor: String = kde
        ) throws -> PushRegistration {
            var registration = PushRegistration(
                app: try app(number), token: "token\(number)", privateKey: [1],
                authenticationSecret: [2])
            registration.endpoint = endpoint
            registration.distributor = endpoint == nil ? nil : distributor
            return registration
        }

        mutating func register(
            _ number: Int = 1, key: String? = nil, token: String? = nil, waiter: UInt64 = 1
        ) throws {
            effects = machine.register(
                try Self.app(number), name: "App \(number)", serverKey: key,
                fresh: .init(
                    token: token ?? "token\(number)", privateKey: [1], authenticationSecret: [2]),
                waiter: waiter)
        }

        /// Registers an app up to the call of `Register`, and returns that call.
        mutating func call(_ number: Int = 1) throws -> ConnectorMachine.RegisterCall {
            try register(number)
            effects = machine.saved("token\(number)")
            if case .inspect(let name)? = effects.first {
                effects = machine.inspected(name, .two)
            }
            guard case .register(let call)? = effects.first else {
                throw NotificationError(.protocolViolation, "\(effects)")
            }
            return call
        }

        mutating func endpoint(_ url: String, for token: String = "token1") throws {
            let endpoint = try #require(PushEndpoint(token: .string(token), url: .string(url)))
            effects = machine.endpointReported(endpoint)
        }

        var error: NotificationError? {
            for case .answer(_, .failure(let error)) in effects { return error }
            return nil
        }
    }

    @Test func `a token is stored before the distributor gets it`() throws {
        var track = Track()
        try track.register()
        #expect(track.effects.count == 1)
        guard case .save(let registration)? = track.effects.first else {
            return #expect(Bool(false), "\(track.effects)")
        }
        #expect(registration.token == "token1" && registration.name == "App 1")
        #expect(track.machine.saved("token1") == [.inspect(Self.kde)])
        let effects = track.machine.inspected(Self.kde, .two)
        guard case .register(let call)? = effects.first else {
            return #expect(Bool(false), "\(effects)")
        }
        #expect(call.token == "token1" && call.description == "App 1")
    }

    @Test(arguments: [true, false])
    func `an app gets its endpoint, whether it comes before or after the reply to Register`(
        _ isBefore: Bool
    ) throws {
        var track = Track()
        let call = try track.call()
        if !isBefore { #expect(track.machine.registerAnswered(call, .succeeded).isEmpty) }
        try track.endpoint("https://push.example/a")
        guard case .save(let registration)? = track.effects.first else {
            return #expect(Bool(false), "\(track.effects)")
        }
        #expect(registration.endpoint == "https://push.example/a")
        #expect(
            track.machine.saved("token1")
                == [.answer([1], .success(registration)), .report(registration.app, registration)])
        if isBefore { #expect(track.machine.registerAnswered(call, .succeeded).isEmpty) }
        try track.register(waiter: 2)
        #expect(track.effects == [.answer([2], .success(registration))])
    }

    @Test func `only a new endpoint is stored and reported`() throws {
        var track = Track()
        let call = try track.call()
        _ = track.machine.registerAnswered(call, .succeeded)
        try track.endpoint("https://push.example/a")
        _ = track.machine.saved("token1")
        try track.endpoint("https://push.example/a")
        #expect(track.effects.isEmpty)
        try track.endpoint("https://push.example/b")
        guard case .save? = track.effects.first else {
            return #expect(Bool(false), "\(track.effects)")
        }
        let effects = track.machine.saved("token1")
        guard case .report(_, let registration)? = effects.first else {
            return #expect(Bool(false), "\(effects)")
        }
        #expect(registration?.endpoint == "https://push.example/b")
        #expect(registration?.token == "token1", "a new endpoint keeps the token")
    }

    @Test func `without a distributor, the error says what to install`() throws {
        var track = Track(running: [])
        try track.register()
        #expect(track.error?.code == .noDistributor)
        #expect(track.error?.message.contains("KUnifiedPush") == true)
        #expect(track.machine.registrations.isEmpty)
    }

    @Test func `if the chosen distributor is missing, the error names it and no other is used`()
        throws
    {
        var track = Track(preset: "ntfy")
        try track.register()
        #expect(track.error?.code == .noDistributor)
        #expect(track.error?.message.contains("'ntfy'") == true, "\(track.error as Any)")
    }

    @Test(
        arguments: [
            ("ACTION_REQUIRED", "settings"), ("VAPID_REQUIRED", "TOCSINPushServerKey"),
            ("UNAUTHORIZED", "--push-distributor"),
        ])
    func `the error for a final refusal names the remedy, and Register is not called again`(
        _ word: String, _ remedy: String
    ) throws {
        var track = Track()
        let call = try track.call()
        track.effects = track.machine.registerAnswered(
            call, .refused(RegisterFailure(word: word, isFinal: false)))
        #expect(track.error?.code == .distributorRefused)
        #expect(track.error?.message.contains(remedy) == true)
        #expect(track.effects.count == 1)
        #expect(track.machine.retryDue("token1").isEmpty)
        #expect(track.machine.status.problem.contains(word))
    }

    @Test(arguments: ["NETWORK", "INTERNAL_ERROR"])
    func `a temporary refusal leads to a retry, and failures are counted`(_ word: String) throws {
        var track = Track()
        var call = try track.call()
        for failures in 0..<3 {
            track.effects = track.machine.registerAnswered(
                call, .refused(RegisterFailure(word: word, isFinal: false)))
            #expect(track.effects.last == .retry(token: "token1", afterFailures: failures))
            guard case .register(let next)? = track.machine.retryDue("token1").first else {
                return #expect(Bool(false))
            }
            call = next
        }
        _ = track.machine.registerAnswered(call, .succeeded)
        try track.endpoint("https://push.example/late")
        let effects = track.machine.saved("token1")
        guard case .report? = effects.last else { return #expect(Bool(false), "\(effects)") }
    }

    @Test func `at its start, the daemon registers all apps again, a few at a time`() throws {
        var machine = ConnectorMachine(preset: nil)
        let count = 100
        let stored = try (0..<count).map { try Track.registration($0) }
        #expect(machine.load(stored, chosen: nil).isEmpty)
        #expect(
            machine.servicesChanged(running: [Self.kde], activatable: []) == [.inspect(Self.kde)])
        var effects = machine.inspected(Self.kde, .one)
        #expect(effects.count == ConnectorMachine.window)
        var tokens: Set<String> = []
        while case .register(let call)? = effects.first {
            #expect(tokens.insert(call.token).inserted)
            effects = Array(effects.dropFirst()) + machine.registerAnswered(call, .succeeded)
            #expect(effects.count <= ConnectorMachine.window)
        }
        #expect(tokens.count == count)
    }

    @Test func `apps keep token and endpoint while the distributor is gone`() throws {
        var track = Track()
        let call = try track.call()
        _ = track.machine.registerAnswered(call, .succeeded)
        try track.endpoint("https://push.example/a")
        _ = track.machine.saved("token1")
        #expect(track.machine.servicesChanged(running: [], activatable: []).isEmpty)
        #expect(track.machine.registration(of: "token1")?.endpoint == "https://push.example/a")
        #expect(track.machine.status.problem.contains("no push distributor"))
        #expect(
            track.machine.servicesChanged(running: [Self.kde], activatable: [])
                == [.inspect(Self.kde)])
        guard case .register(let again)? = track.machine.inspected(Self.kde, .two).first else {
            return #expect(Bool(false))
        }
        #expect(again.token == "token1")
        // The reply to a call from before the distributor's restart is ignored.
        #expect(track.machine.registerAnswered(call, .failed("late")).isEmpty)
        #expect(track.machine.registerAnswered(again, .succeeded).isEmpty)
    }

    @Test func `an activatable distributor that restarts gets the registrations again`() throws {
        var track = Track()
        _ = track.machine.servicesChanged(running: [Self.kde], activatable: [Self.kde])
        let call = try track.call()
        _ = track.machine.registerAnswered(call, .succeeded)
        try track.endpoint("https://push.example/a")
        _ = track.machine.saved("token1")
        // The daemon does not start a distributor that the user has ended.
        #expect(track.machine.servicesChanged(running: [], activatable: [Self.kde]).isEmpty)
        #expect(
            track.machine.servicesChanged(running: [Self.kde], activatable: [Self.kde])
                == [.inspect(Self.kde)])
    }

    @Test func `apps move with their tokens to a distributor that the user chooses`() throws {
        var track = Track(running: [Self.kde, Self.ntfy])
        let call = try track.call()
        #expect(call.distributor.name == Self.kde)
        _ = track.machine.registerAnswered(call, .succeeded)
        try track.endpoint("https://push.example/a")
        _ = track.machine.saved("token1")
        let effects = track.machine.choiceChanged("ntfy")
        #expect(
            effects == [
                .unregister(token: "token1", from: call.distributor), .inspect(Self.ntfy),
            ])
        guard case .register(let moved)? = track.machine.inspected(Self.ntfy, .two).first else {
            return #expect(Bool(false))
        }
        #expect(moved.token == "token1" && moved.distributor.name == Self.ntfy)
        _ = track.machine.registerAnswered(moved, .succeeded)
        try track.endpoint("https://ntfy.example/a")
        guard case .save(let registration)? = track.effects.first else {
            return #expect(Bool(false), "\(track.effects)")
        }
        #expect(registration.distributor == Self.ntfy)
    }

    // A distributor confirms `Unregister` by calling `Unregistered`. A moved app keeps its token.
    @Test func `Unregistered from a former distributor does not end a moved registration`() throws {
        var track = Track(running: [Self.kde, Self.ntfy])
        let call = try track.call()
        _ = track.machine.registerAnswered(call, .succeeded)
        try track.endpoint("https://push.example/a")
        _ = track.machine.saved("token1")
        _ = track.machine.choiceChanged("ntfy")
        #expect(track.machine.unregistrationReported("token1").isEmpty)
        guard case .register(let moved)? = track.machine.inspected(Self.ntfy, .two).first else {
            return #expect(Bool(false))
        }
        #expect(moved.token == "token1")
        _ = track.machine.registerAnswered(moved, .succeeded)
        try track.endpoint("https://ntfy.example/a")
        #expect(track.machine.unregistrationReported("token1").count == 2, "now ntfy may end it")
    }

    @Test func `a registration that the distributor ends is removed and reported to the app`()
        throws
    {
        var track = Track()
        _ = try track.call()
        #expect(track.machine.unregistrationReported("unknown").isEmpty)
        let effects = track.machine.unregistrationReported("token1")
        let app = try Track.app(1)
        #expect(effects.suffix(2) == [.remove(app), .report(app, nil)])
        #expect(track.machine.registration(of: "token1") == nil)
    }

    @Test func `if the server's key changes, the app gets a new registration and token`() throws {
        var track = Track()
        let call = try track.call()
        _ = track.machine.registerAnswered(call, .succeeded)
        try track.endpoint("https://push.example/a")
        _ = track.machine.saved("token1")
        try track.register(key: "key", token: "token2", waiter: 2)
        #expect(track.effects.first == .unregister(token: "token1", from: call.distributor))
        guard case .save(let registration)? = track.effects.last else {
            return #expect(Bool(false), "\(track.effects)")
        }
        #expect(registration.token == "token2" && registration.serverKey == "key")
    }

    @Test func `an app whose endpoint does not arrive gets an error at the timeout`() throws {
        var track = Track()
        _ = try track.call()
        track.effects = track.machine.waiterExpired(1)
        #expect(track.error?.code == .distributorRefused)
        #expect(track.machine.waiterExpired(1).isEmpty)
    }

    @Test func `a registration that cannot be stored is an error and is dropped`() throws {
        var track = Track()
        try track.register()
        let error = NotificationError(.noSpace, "full")
        #expect(track.machine.saveFailed("token1", error) == [.answer([1], .failure(error))])
        #expect(track.machine.registrations.isEmpty)
    }

    @Test func `an endpoint that could not be stored is stored at the app's next call`() throws {
        var track = Track()
        let call = try track.call()
        _ = track.machine.registerAnswered(call, .succeeded)
        try track.endpoint("https://push.example/a")
        let first = track.effects
        let error = NotificationError(.noSpace, "full")
        #expect(track.machine.saveFailed("token1", error) == [.answer([1], .failure(error))])
        try track.register(waiter: 2)
        #expect(track.effects == first)
        guard case .answer(let waiters, .success)? = track.machine.saved("token1").first else {
            return #expect(Bool(false))
        }
        #expect(waiters == [2])
    }

    // A call that waited for another endpoint would end only at its timeout.
    @Test func `an app that registers again between endpoint and reply gets the endpoint`() throws {
        var track = Track()
        let call = try track.call()
        try track.endpoint("https://push.example/a")
        _ = track.machine.saved("token1")
        try track.register(waiter: 2)
        #expect(track.effects.isEmpty)
        let registration = try #require(track.machine.registration(of: "token1"))
        #expect(
            track.machine.registerAnswered(call, .succeeded)
                == [.answer([2], .success(registration))])
    }

    @Test func `if an endpoint's save fails before the reply, the reply repeats the save`() throws {
        var track = Track()
        let call = try track.call()
        try track.endpoint("https://push.example/a")
        let first = track.effects
        _ = track.machine.saveFailed("token1", NotificationError(.noSpace, "full"))
        try track.register(waiter: 2)
        #expect(track.machine.registerAnswered(call, .succeeded) == first)
        #expect(track.machine.saved("token1").count == 2, "one answer to the app, and one report")
    }

    // If the endpoint counted as stored, a restarted daemon would know only the former endpoint.
    @Test(arguments: [true, false])
    func `if the save of a changed endpoint fails, the next report or call repeats the save`(
        _ isReported: Bool
    ) throws {
        var track = Track()
        let call = try track.call()
        _ = track.machine.registerAnswered(call, .succeeded)
        try track.endpoint("https://push.example/a")
        _ = track.machine.saved("token1")
        try track.endpoint("https://push.example/b")
        let failed = track.effects
        let registration = try #require(track.machine.registration(of: "token1"))
        #expect(failed == [.save(registration)])
        _ = track.machine.saveFailed("token1", NotificationError(.noSpace, "full"))
        let again = registration.endpoint ?? ""
        if isReported { try track.endpoint(again) } else { try track.register(waiter: 2) }
        #expect(track.effects == failed)
        let effects = track.machine.saved("token1")
        #expect(effects.last == .report(registration.app, registration))
        if !isReported { #expect(effects.first == .answer([2], .success(registration))) }
    }

    @Test func `two changes of an endpoint are stored in their order`() throws {
        var track = Track()
        let call = try track.call()
        _ = track.machine.registerAnswered(call, .succeeded)
        try track.endpoint("https://push.example/a")
        try track.endpoint("https://push.example/b")
        #expect(track.effects.isEmpty, "the first endpoint is still being stored")
        guard case .save(let second)? = track.machine.saved("token1").first else {
            return #expect(Bool(false))
        }
        #expect(second.endpoint == "https://push.example/b")
        #expect(track.machine.saved("token1").first == .answer([1], .success(second)))
    }
}
