import HostingSupport
import TestSupport

extension Hosting {
    /// Starts `HostProbe`, the app that a test may kill, with these arguments.
    func probe(_ arguments: [String], on bus: PrivateBus) throws -> RunningProgram {
        try RunningProgram(
            try HostedService.program("HostProbe"), arguments,
            environment: environment(bus.environment))
    }
}
