internal import ArgumentParser
internal import CenterInterface
internal import Freedesktop
internal import NotificationModel
internal import NotificationSchedule

/// `tocsin doctor`: what works here, and what is missing.
struct DoctorCommand: ParsableCommand, ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check the bus, the daemon and the notification server.",
        discussion: """
            Each line begins with ✓ where all is well, with ! where something is missing that has a \
            substitute, with ✗ where something does not work; below it stands what to do.

            Exit status: 0 all works, 1 something does not, 69 no notification server, 75 no bus or \
            daemon, 77 refused by the daemon. What can be seen without the daemon is shown all the same.
            """)

    @Flag(help: "Prints one JSON object.")
    var json = false

    func perform(in environment: ToolEnvironment) async throws(ToolError) -> ToolStatus {
        let center = try await Center.open(environment)
        var report = try await report(of: center, in: environment)
        if report.refusal == nil, let service = try? center.service {
            report.store = await StoreFacts(of: report.status.store, from: service)
        }
        (report.zoneName, report.zoneSource) = environment.personsZone()
        report.missingPrograms = Set(["zenity", "kdialog", "xdg-open", "gsettings"]).filter {
            !environment.hasProgram($0)
        }
        if CompanionProgram.installed("tocsin-media") == nil {
            report.missingPrograms.insert("tocsin-media")
        }
        // One that cannot be looked into is told by whatever would use it.
        let inbox = try? environment.inbox().flatMap { try Inbox.opened($0) }
        report.unusable = inbox?.unusable() ?? []
        if json {
            try Output.line(report.object.text)
        } else {
            try Output.write(report.text(Terminal(environment)))
        }
        return report.exitStatus
    }

    /// What the centre says of itself; where it says nothing, what is seen without it.
    private func report(
        of center: Center, in environment: ToolEnvironment
    ) async throws(ToolError) -> DoctorReport {
        do throws(NotificationError) {
            return DoctorReport(
                bus: center.address, status: try await center.status(),
                permissions: try await center.service.permissions(), now: environment.now,
                zone: environment.zone)
        } catch {
            var report = DoctorReport(
                bus: center.address,
                status: ServiceStatus(
                    version: "", hosting: "", store: "", pendingCount: 0, deliveredCount: 0,
                    responseCount: 0, nextFire: nil,
                    presenter: await server(on: center, in: environment)),
                now: environment.now, zone: environment.zone)
            report.refusal = ToolError(error)
            return report
        }
    }

    /// The notification server, asked without the centre.
    private func server(
        on center: Center, in environment: ToolEnvironment
    ) async -> PresenterStatus {
        let presenter = FreedesktopPresenter(connection: center.connection) {
            [environment] in environment.variables
        }
        await presenter.start { _ in }
        return await presenter.status()
    }
}
