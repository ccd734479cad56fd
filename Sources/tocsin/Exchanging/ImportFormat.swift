internal import CenterInterface
internal import DesktopBus
internal import NotificationModel
internal import NotificationSchedule

/// What an imported line or event asks for.
struct ImportItem: Hashable {
    /// Whose it is; nil where that is not said.
    var app: ApplicationID?
    /// The request.
    var request: NotificationRequest
    /// When it was to fire next, where that is said.
    var nextFire: Instant?
    /// What its clicks run, as the line has it; nil where it has none.
    var commands: PropertyListValue?
    /// The calendar that it came from; nil for a line.
    var source: String?
}

/// Reads whole notifications from JSON lines, as `export` writes them.
struct ImportFormat {
    var environment: ToolEnvironment

    /// The item of a line; nil for one that was delivered, and is not shown again.
    func item(_ line: [UInt8]) throws(ToolError) -> ImportItem? {
        do throws(NotificationError) {
            guard var values = try JSONCoding.value(of: line).vardictValue else {
                throw NotificationError(
                    .invalidArgument, "The line is not a JSON object. Write one object a line.")
            }
            guard values["state"]?.stringValue != "delivered" else { return nil }
            let app = try values["app"]?.stringValue.map { text throws(NotificationError) in
                try ApplicationID(text)
            }
            if case .dictionary? = values["trigger"]?.unwrapped {
                values["trigger"] = try trigger(values["trigger"]?.vardictValue ?? [:])
            }
            let nextFire = try values["nextFire"]?.stringValue.map {
                text throws(NotificationError) in try date(text, of: "The key 'nextFire'")
            }
            let commands = try commands(of: line, values.removeValue(forKey: "commands"))
            let entries = values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
            var request = try NotificationRequest.record.value(of: .vardict(entries), "the request")
            // The time that has gone since the line was written is not waited for again.
            if case .interval(_, repeats: false) = request.trigger, let nextFire {
                request.trigger = .at(nextFire)
            }
            return ImportItem(
                app: app, request: request, nextFire: nextFire, commands: commands)
        } catch {
            throw ToolError(error)
        }
    }

    /// The member of that name as it is written; its texts are arguments of programs.
    private func commands(
        of line: [UInt8], _ value: BusValue?
    ) throws(NotificationError) -> PropertyListValue? {
        guard value != nil else { return nil }
        do throws(JSONError) {
            guard case .dictionary(let members) = try JSONReader.value(of: line) else { return nil }
            return members["commands"]
        } catch {
            throw NotificationError(
                .invalidArgument, "The key 'commands' cannot be read: \(error).")
        }
    }

    /// Dates as the daemon takes them.
    private func trigger(
        _ values: [String: BusValue]
    ) throws(NotificationError) -> BusValue {
        var entries: [(String, BusValue)] = []
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            guard ["date", "until"].contains(key), let text = value.stringValue else {
                entries.append((key, value))
                continue
            }
            let date = try date(text, of: "The key '\(key)' of the trigger")
            entries.append((key, .int64(date.microseconds)))
        }
        return .vardict(entries)
    }

    private func date(
        _ text: String, of what: String
    ) throws(NotificationError) -> Instant {
        do throws(TimeTextError) {
            return try TimePhrase.resolve(
                text, now: environment.now, zone: environment.zone, isPastAllowed: true)
        } catch {
            throw NotificationError(
                .invalidArgument,
                "\(what) is \(text.quotedForMessage()); write a date such as "
                    + "'2026-12-24T18:00:00+01:00'.")
        }
    }
}
