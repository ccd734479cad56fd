internal import ArgumentParser
internal import NotificationModel

/// `tocsin list`: what waits, or what was delivered.
struct ListCommand: ParsableCommand, ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List what waits, or what was delivered.",
        discussion: "Without an option the requests of this tool are listed.")

    @Flag(help: "Lists delivered notifications, newest first.")
    var delivered = false

    @OptionGroup var selection: AppSelection

    @Flag(help: "Lists those of every app.")
    var allApps = false

    @Flag(help: "Shows what clicks run, too.")
    var commands = false

    @Flag(help: "Prints one JSON object a line.")
    var json = false

    func validate() throws {
        guard !allApps || selection.appID == nil else {
            throw ValidationError("'--app' and '--all-apps' exclude each other; give one")
        }
    }

    func perform(in environment: ToolEnvironment) async throws(ToolError) -> ToolStatus {
        let app: ApplicationID? = allApps ? nil : try selection.resolved()
        let center = try await Center.open(environment)
        return try print(try await rows(of: app, at: center), in: environment)
    }

    private func rows(
        of app: ApplicationID?, at center: Center
    ) async throws(ToolError) -> [ListRow] {
        do throws(NotificationError) {
            return delivered
                ? try await center.service.delivered(of: app).map { ListRow($0) }
                : try await center.service.pending(of: app).map { ListRow($0) }
        } catch {
            throw ToolError(error)
        }
    }

    private func print(
        _ rows: [ListRow], in environment: ToolEnvironment
    ) throws(ToolError) -> ToolStatus {
        let table = commands ? try CommandFile(environment).read() : nil
        if json {
            let format = NotificationJSON(zone: environment.zone)
            try Output.write(
                rows.map { $0.object(format, commands: table).text + "\n" }.joined())
        } else if rows.isEmpty {
            Output.warn(delivered ? "Nothing is delivered." : "Nothing is pending.")
        } else {
            let times = RelativeTime(now: environment.now, zone: environment.zone)
            try Output.write(
                ListRow.table(
                    rows, times: times, showsApp: allApps, isNumbered: !allApps, commands: table))
        }
        return .done
    }
}
