import NotificationModel
import Testing

@testable import PushConnector

/// The connector inspects a distributor before it first calls `Register`.
@Suite struct DistributorInspectionTests {
    private static let kde = "org.unifiedpush.Distributor.kde"

    /// A machine that has a stored registration and inspects an activatable distributor.
    private static func inspectingMachine() throws -> ConnectorMachine {
        var machine = ConnectorMachine(preset: nil)
        let stored = PushRegistration(
            app: try ApplicationID("org.example.App"), token: "token", privateKey: [1],
            authenticationSecret: [2])
        _ = machine.load([stored], chosen: nil)
        #expect(machine.servicesChanged(running: [], activatable: [kde]) == [.inspect(kde)])
        return machine
    }

    // Without a retry, the stored apps would stay unregistered until an app registers or the
    // distributor restarts.
    @Test func `a distributor that starts slowly is inspected again after each failure`() throws {
        var machine = try Self.inspectingMachine()
        #expect(machine.servicesChanged(running: [Self.kde], activatable: [Self.kde]).isEmpty)
        for failures in 0..<3 {
            #expect(
                machine.inspected(Self.kde, nil) == [.retryInspection(afterFailures: failures)])
            #expect(machine.inspectionDue(afterFailures: failures) == [.inspect(Self.kde)])
        }
        guard case .register(let call)? = machine.inspected(Self.kde, .two).first else {
            return #expect(Bool(false))
        }
        #expect(call.token == "token")
    }

    @Test func `a distributor that could not be started is inspected again only when it runs`()
        throws
    {
        var machine = try Self.inspectingMachine()
        #expect(machine.inspected(Self.kde, nil).isEmpty)
        #expect(
            machine.servicesChanged(running: [Self.kde], activatable: [Self.kde])
                == [.inspect(Self.kde)])
    }

    @Test func `a distributor that left or answered during the retry pause is not inspected again`()
        throws
    {
        var machine = try Self.inspectingMachine()
        _ = machine.servicesChanged(running: [Self.kde], activatable: [Self.kde])
        _ = machine.inspected(Self.kde, nil)
        // The daemon does not start a distributor that the user has ended.
        _ = machine.servicesChanged(running: [], activatable: [Self.kde])
        #expect(machine.inspectionDue(afterFailures: 0).isEmpty)
        _ = machine.servicesChanged(running: [Self.kde], activatable: [Self.kde])
        #expect(machine.inspected(Self.kde, .two).count == 1)
        #expect(machine.inspectionDue(afterFailures: 0).isEmpty)
    }
}
