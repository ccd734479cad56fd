import NotificationModel
import Testing

@testable import PushConnector

/// A registered app whose name changes, such as a program that gets a desktop file.
@Suite struct RegistrationNameTests {
    private static let kde = "org.unifiedpush.Distributor.kde"

    // Otherwise the distributor would show the former name for ever: at its start the daemon
    // registers the stored name, and the app's own call changed the name only in memory.
    @Test func `a new name of a registered app is stored, and the distributor gets it next time`()
        throws
    {
        let app = try ApplicationID("org.example.App")
        var stored = PushRegistration(
            app: app, token: "token", privateKey: [1], authenticationSecret: [2])
        (stored.name, stored.distributor) = ("dev.app", Self.kde)
        stored.endpoint = "https://push.example/a"
        var machine = ConnectorMachine(preset: nil)
        _ = machine.load([stored], chosen: nil)
        _ = machine.servicesChanged(running: [Self.kde], activatable: [])
        guard case .register(let call)? = machine.inspected(Self.kde, .two).first else {
            return #expect(Bool(false))
        }
        _ = machine.registerAnswered(call, .succeeded)
        func register(waiter: UInt64) -> [ConnectorMachine.Effect] {
            machine.register(
                app, name: "An App", serverKey: nil,
                fresh: .init(token: "new", privateKey: [3], authenticationSecret: [4]),
                waiter: waiter)
        }
        var renamed = stored
        renamed.name = "An App"
        #expect(register(waiter: 1) == [.save(renamed)])
        #expect(machine.saved("token").first == .answer([1], .success(renamed)))
        #expect(register(waiter: 2) == [.answer([2], .success(renamed))], "the name is stored")
        _ = machine.servicesChanged(running: [], activatable: [])
        _ = machine.servicesChanged(running: [Self.kde], activatable: [])
        guard case .register(let next)? = machine.inspected(Self.kde, .two).first else {
            return #expect(Bool(false))
        }
        #expect(next.description == "An App")
    }
}
