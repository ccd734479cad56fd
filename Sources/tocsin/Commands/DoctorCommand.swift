internal import ArgumentParser
internal import NotificationModel
internal import NotificationSchedule

/// `tocsin doctor`: what works here, and what is missing.
struct DoctorCommand: ParsableCommand, ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check the bus, the daemon and the notification server.",
        discussion: "Exit status: 0 all is there, 69 no notification server, 75 no bus or daemon.")

    @Flag(help: "Prints one JSON object.")
    var json = false

    func perform(in environment: ToolEnvironment) async throws(ToolError) -> ToolStatus {
        let center = try await Center.open(environment)
        let report: DoctorReport
        do throws(NotificationError) {
            report = DoctorReport(
                bus: center.address, status: try await center.service.status(),
                now: environment.now, zone: environment.zone)
        } catch {
            throw ToolError(error)
        }
        if json {
            try Output.line(report.object.text)
        } else {
            try Output.write(report.text)
        }
        return report.status.presenter.isAvailable ? .done : .noServer
    }
}
