import HostingSupport
import TestSupport

extension Hosting {
    /// Starts the app that may be killed, with these arguments.
    func probe(_ arguments: [String], on bus: PrivateBus) throws -> RunningProgram {
        try RunningProgram(
            try HostedService.program("HostProbe"), arguments,
            environment: environment(bus.environment))
    }
}
