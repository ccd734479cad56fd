internal import DesktopBus
internal import Foundation

/// `tocsin-distributor` as a real program on a private bus.
package enum DistributorProgram {
    private static let name: BusName = "org.unifiedpush.Distributor.tocsin"

    /// Runs the program with these arguments; without arguments it is the service.
    package static func run(
        _ arguments: [String], on bus: PrivateBus, adding variables: [String: String] = [:]
    ) throws -> RunningProgram {
        let products = Bundle.main.executableURL?.deletingLastPathComponent().path ?? "."
        return try RunningProgram(
            "\(products)/tocsin-distributor", arguments,
            environment: bus.environment.merging(variables) { $1 })
    }

    /// Starts the service, and returns when the service owns its name on the bus.
    ///
    /// New registrations use `server`; if it is nil, they use the server that was chosen before.
    package static func start(
        on bus: PrivateBus, server: String? = nil, adding variables: [String: String] = [:]
    ) async throws -> RunningProgram {
        if let server {
            let choice = try run(["--server", server], on: bus, adding: variables)
            guard try await choice.exit() == 0 else { throw HarnessError(choice.said) }
        }
        let watcher = try await BusConnection.open(on: bus, name: "watcher")
        let owners = Recording<BusName?>()
        let watch = try await watcher.watchOwner(of: name) { owners.append($0) }
        let program = try run([], on: bus, adding: variables)
        _ = try await owners.first("the distributor") { $0 != nil }
        watch.cancel()
        await watcher.close()
        return program
    }
}
