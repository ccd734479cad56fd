import DesktopBus
import NotificationModel
import Testing

@testable import PushConnector

/// Changes of a registered app: the app has a new name, or its distributor sends a new endpoint.
@Suite struct RegistrationChangeTests {
    private static let kde = "org.unifiedpush.Distributor.kde"

    private let stored: PushRegistration
    private var machine = ConnectorMachine(preset: nil)

    init() throws {
        var stored = PushRegistration(
            app: try ApplicationID("org.example.App"), token: "token", privateKey: [1],
            authenticationSecret: [2])
        (stored.name, stored.distributor) = ("dev.app", Self.kde)
        stored.endpoint = "https://push.example/a"
        self.stored = stored
        _ = machine.load([stored], chosen: nil)
    }

    /// Starts the distributor, and returns the machine's call of `Register`.
    private mutating func startDistributor() throws -> ConnectorMachine.RegisterCall {
        _ = machine.servicesChanged(running: [Self.kde], activatable: [])
        let effects = machine.inspected(Self.kde, .two)
        guard case .register(let call)? = effects.first else {
            throw NotificationError(.protocolViolation, "\(effects)")
        }
        return call
    }

    private mutating func register(name: String, waiter: UInt64) -> [ConnectorMachine.Effect] {
        machine.register(
            stored.app, name: name, serverKey: nil,
            fresh: .init(token: "new", privateKey: [3], authenticationSecret: [4]), waiter: waiter)
    }

    // At its start the daemon registers the stored name. If the new name were only in memory, the
    // distributor would show the former name for ever.
    @Test mutating func `a new name is stored, and the restarted distributor gets it`() throws {
        let call = try startDistributor()
        _ = machine.registerAnswered(call, .succeeded)
        var renamed = stored
        renamed.name = "An App"
        let first = register(name: "An App", waiter: 1)
        #expect(first == [.save(renamed)])
        let saved = machine.saved("token")
        #expect(
            saved == [.answer([1], .success(renamed))],
            "the endpoint is not new, so it is not reported")
        let second = register(name: "An App", waiter: 2)
        #expect(
            second == [.answer([2], .success(renamed))],
            "the name is already stored, so nothing is saved")
        _ = machine.servicesChanged(running: [], activatable: [])
        let next = try startDistributor()
        #expect(next.description == "An App")
    }

    /// Without the report, the app's server would send to the former endpoint until the app's next
    /// start.
    @Test mutating func `an endpoint that is saved after its distributor ended is still reported`()
        throws
    {
        let call = try startDistributor()
        _ = machine.registerAnswered(call, .succeeded)
        let url = "https://push.example/b"
        let endpoint = try #require(PushEndpoint(token: .string("token"), url: .string(url)))
        var changed = stored
        changed.endpoint = url
        let effects = machine.endpointReported(endpoint)
        #expect(effects == [.save(changed)])
        _ = machine.servicesChanged(running: [], activatable: [])
        let saved = machine.saved("token")
        #expect(saved.isEmpty)
        let again = try startDistributor()
        let answered = machine.registerAnswered(again, .succeeded)
        #expect(answered == [.report(changed.app, changed)])
    }
}
