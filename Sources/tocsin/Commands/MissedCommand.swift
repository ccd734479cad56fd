internal import ArgumentParser
internal import NotificationModel
internal import NotificationSchedule

/// `tocsin missed`: what was not shown when it was due.
struct MissedCommand: ParsableCommand, ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "missed", abstract: "List what was not shown when it was due, and why.",
        discussion: """
            What is due and waits still, for a login or a notification server; what was delivered \
            more than a minute late, because the machine was off or asleep, and, for seven days, \
            what was not shown at all. Where a rule's dates merged into one, the last of them \
            counts.

            Keys of '--json': id, app and due (each null where it is not known), title, shown (null \
            for what was not), note, and reason: waiting (for a login or a server), showing (now), \
            shown-late, refused (by the server), late (too late to be shown), denied (the app was not \
            allowed), skipped (on request), damaged (in the store) or failed.
            """)

    @OptionGroup var scope: AppScope

    @Flag(help: "Prints one JSON object a line.")
    var json = false

    func perform(in environment: ToolEnvironment) async throws(ToolError) -> ToolStatus {
        let app = try scope.resolved()
        let center = try await Center.openOrInbox(environment, reading: true)
        let rows: [MissedRow]
        do throws(NotificationError) {
            let upcoming = Upcoming(in: environment)
            let status = try await center.status()
            rows =
                try await center.requests.pending(of: app).compactMap {
                    MissedRow($0, status: status, now: environment.now)
                }
                + (try await center.delivered(of: app).compactMap {
                    MissedRow($0, due: upcoming.due($0))
                })
                + (try await center.records(of: app).compactMap {
                    MissedRow($0, now: environment.now)
                })
        } catch {
            throw ToolError(error)
        }
        let ordered = MissedRow.ordered(rows)
        let times = RelativeTime(now: environment.now, zone: environment.zone)
        if json {
            try Output.write(ordered.map { $0.object(zone: times.zone).text + "\n" }.joined())
        } else if rows.isEmpty {
            Output.warn("Nothing was missed.")
        } else {
            try Output.write(MissedRow.table(ordered, times: times, showsApp: scope.allApps))
        }
        return .done
    }
}
