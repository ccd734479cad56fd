internal import ArgumentParser
internal import CenterInterface
internal import Freedesktop
internal import Glibc
internal import NotificationModel
internal import NotificationSchedule

/// `tocsin doctor`: reports which parts work here and which are missing.
struct DoctorCommand: ParsableCommand, ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check the bus, the daemon and the notification server.",
        discussion: """
            Each line begins with ✓ if all is well, with ! if something works only in part or \
            needs your attention, or with ✗ if something does not work. A line with → says what \
            to do, if you can do something.

            Exit status: 0 all works, 1 something does not, 69 no notification server, 75 no bus \
            or daemon, 77 refused by the daemon. If the daemon does not answer, the other checks \
            are still made.
            """)

    @Flag(help: "Prints one JSON object.")
    var json = false

    func perform(in environment: ToolEnvironment) async throws -> ToolStatus {
        let center = try await CenterClient.open(environment)
        var report = await report(of: center, in: environment)
        (report.zoneName, report.zoneSource) = environment.localZone()
        report.missingPrograms = Set(["zenity", "kdialog", "xdg-open", "gsettings"]).filter {
            !environment.hasProgram($0)
        }
        if CompanionProgram.installed("tocsin-media") == nil {
            report.missingPrograms.insert("tocsin-media")
        }
        let state = environment.stateDirectory().map(environment.canonical)
        if let state, !environment.canonical(report.status.store).hasPrefix(state + "/") {
            report.strayState = state
        }
        // An error is ignored here, because the commands that use the inbox report it.
        let inbox = try? environment.inbox().flatMap { try Inbox.opened($0) }
        report.unusable = inbox?.unusable() ?? []
        if json {
            try Output.line(report.object.text)
        } else {
            try Output.write(report.text(Terminal(environment)))
        }
        return report.exitStatus
    }

    private func report(
        of center: CenterClient, in environment: ToolEnvironment
    ) async -> DoctorReport {
        let unknown = ServiceStatus(
            version: "", hosting: "", store: "", pendingCount: 0, deliveredCount: 0,
            responseCount: 0, nextFire: nil, presenter: PresenterStatus(isAvailable: false))
        var report = DoctorReport(
            bus: center.address, status: unknown, now: environment.now, zone: environment.zone)
        do {
            let status = try await center.status()
            report.permissions = try await center.service.permissions()
            report.store = try await StoreFacts(of: status.store, from: try center.service)
            report.status = status
        } catch {
            report.refusal = ToolError(error)
            report.status.presenter = await server(on: center, in: environment)
        }
        return report
    }

    /// The state of the notification server; this process asks the server without the daemon.
    private func server(
        on center: CenterClient, in environment: ToolEnvironment
    ) async -> PresenterStatus {
        let presenter = FreedesktopPresenter(connection: center.connection) {
            [environment] in environment.variables
        }
        await presenter.start { _ in }
        return await presenter.status()
    }
}

/// The facts about the daemon's store that the tool can find out.
struct StoreFacts: Hashable {
    /// The size of the database with its log, but without attachments, in bytes.
    var size: Int64 = 0
    /// The permission bits of the database; nil if there is no file.
    var mode: UInt32?
    /// Whether the notification centre could read all pending requests and records.
    var isReadable = true
    /// How many notifications the centre removed because they were damaged.
    var damagedCount = 0

    /// `12 kB`.
    var sizeText: String {
        size < 10_000_000 ? "\((size + 999) / 1_000) kB" : "\(size / 1_000_000) MB"
    }
}

extension StoreFacts {
    /// Examines the files of a store, and makes the centre read all pending requests and records.
    ///
    /// - Throws: An error that says nothing about the store, such as `noDaemon` if the daemon ends.
    init(
        of path: String, from service: any NotificationService
    ) async throws(NotificationError) {
        for suffix in ["", "-wal"] {
            var status = stat()
            guard stat(path + suffix, &status) == 0 else { continue }
            size += Int64(status.st_size)
            if suffix.isEmpty { mode = status.st_mode & 0o777 }
        }
        do throws(NotificationError) {
            _ = try await service.pending(of: nil)
            let records = try await service.records(of: nil)
            damagedCount = records.count { $0.reason == .damaged }
        } catch {
            switch error.code {
            case .storeUnavailable: isReadable = false
            // A daemon of an old version has no records; the check of its version says so.
            case .outdatedDaemon: break
            default: throw error
            }
        }
    }
}
