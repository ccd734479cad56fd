internal import ArgumentParser
internal import CenterInterface
internal import DesktopBus
internal import NotificationModel
internal import NotificationSchedule

/// `tocsin simulate`: what would ring, and why, by the shipped engine over a copy of the store.
struct SimulateCommand: ParsableCommand, ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate", abstract: "Print what will ring in a span of time, and why.",
        usage: """
            tocsin simulate [--from TIME] [--for SPAN] [--tz ZONE] [--suspend RULE] [--json]
            """,
        discussion: """
            The notification centre itself runs over a copy of what is scheduled, with a clock that \
            is turned; the running one goes on untouched. Each line is one ring: when, which, and \
            why it is late, shifted or not shown. What is due between now and a later start counts \
            as shown; from a start in the past what repeats begins there.

            SPAN as in 'schedule', or '1y', '6 months'. RULE for '--suspend': when the machine is \
            put to sleep, and for how long, 'day at 23:00 for 8h'; 8 hours where it is not said.

            Exit status: 0 simulated, 1 there is no store, 65 a time or zone that cannot be read.
            """)

    @Option(
        name: .customLong("from"), parsing: .unconditional,
        help: ArgumentHelp("Where it begins; now by default.", valueName: "time"))
    var start: String?

    @Option(
        name: .customLong("for"), parsing: .unconditional,
        help: ArgumentHelp("How much time.", valueName: "span"))
    var span = "1w"

    @Option(
        name: .customLong("tz"), parsing: .unconditional,
        help: ArgumentHelp("The time zone that the person is in.", valueName: "zone"))
    var zone: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("When the machine sleeps.", valueName: "rule"))
    var suspend: String?

    @Option(help: ArgumentHelp("The most lines; 0 for all.", valueName: "number"))
    var limit = 100_000

    @Flag(help: "Prints one JSON object a line.")
    var json = false

    func validate() throws {
        guard limit >= 0 else {
            throw ValidationError("'--limit' is \(limit); give a number from 0 on")
        }
    }

    func perform(in environment: ToolEnvironment) async throws(ToolError) -> ToolStatus {
        var arguments = try arguments(in: environment)
        if let store = await Self.storeOfDaemon(in: environment) {
            arguments += ["--store", store]
        }
        let program: CompanionProgram
        do throws(NotificationError) {
            program = try CompanionProgram(
                "tocsind", arguments, environment: environment.variables)
        } catch {
            throw ToolError(error)
        }
        return try print(program, in: environment)
    }

    /// The command line of the program that simulates.
    func arguments(in environment: ToolEnvironment) throws(ToolError) -> [String] {
        let zone = try environment.zone(given: zone)
        var arguments = ["simulate"]
        var from = environment.now
        if let start {
            from = try environment.start(start, zone: zone)
            arguments += ["--from", String(from.microseconds)]
        }
        do throws(TimeTextError) {
            let end = try SimulatedSpan.end(of: span, from: from, zone: zone)
            arguments += ["--until", String(end.microseconds)]
        } catch {
            throw ToolError(error)
        }
        if let name = self.zone { arguments += ["--tz", name] }
        if let suspend {
            let reader = try MomentReader(zone: self.zone, after: from, in: environment)
            do throws(TimeTextError) {
                let text = try SuspendText(suspend, reader: reader)
                arguments += ["--suspend", text.rule, "--suspend-length", String(text.length)]
            } catch {
                throw ToolError(error)
            }
        }
        if limit > 0 { arguments += ["--limit", String(limit)] }
        return arguments
    }

    /// Which store the daemon has, if one runs: none is started for this.
    private static func storeOfDaemon(in environment: ToolEnvironment) async -> String? {
        guard let center = try? await Center.open(environment),
            (try? await center.connection.owner(of: CenterName.bus)) != nil
        else { return nil }
        return try? await center.service.status().store
    }

    private func print(
        _ program: CompanionProgram, in environment: ToolEnvironment
    ) throws(ToolError) -> ToolStatus {
        var zones = ZoneCache(environment: environment)
        var (person, count, isComplete) = ("", 0, false)
        while let line = program.nextLine() {
            switch SimulationEvent(line) {
            case .start(let timeZone): person = timeZone
            case .ring(let ring):
                count += 1
                let (zone, dueZone) = (zones[person], zones[ring.timeZone])
                try Output.line(
                    json
                        ? ring.object(zone: zone, dueZone: dueZone).text
                        : ring.line(zone: zone, dueZone: dueZone))
            case .end(let isLimited):
                isComplete = true
                if isLimited {
                    Output.warn("Stopped after \(count) lines; '--limit 0' prints all.")
                }
            case .error(let error): throw ToolError(error)
            case nil: break
            }
        }
        guard program.end() == 0, isComplete else {
            throw ToolError(
                .failure, "The simulation ended early. Run it again; 'tocsin doctor' may say more.")
        }
        if count == 0, !json { Output.warn("Nothing rings in that time.") }
        return .done
    }
}
