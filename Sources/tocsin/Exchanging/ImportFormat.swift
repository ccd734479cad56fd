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
    /// The category of its buttons.
    var category: NotificationCategory?
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
            let category = try values["buttons"].map { value throws(NotificationError) in
                try CategoryCoding.decode(KeyedValues(value, of: "'buttons'"))
            }
            if case .dictionary? = values["trigger"]?.unwrapped {
                values["trigger"] = try trigger(values["trigger"]?.vardictValue ?? [:])
            }
            let entries = values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
            return ImportItem(
                app: app, request: try RequestCoding.decode(.vardict(entries)), category: category)
        } catch {
            throw ToolError(error)
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
            do throws(TimeTextError) {
                let date = try TimePhrase.resolve(
                    text, now: environment.now, zone: environment.zone, isPastAllowed: true)
                entries.append((key, .int64(date.microseconds)))
            } catch {
                throw NotificationError(
                    .invalidArgument,
                    "The key '\(key)' of the trigger is \(text.quotedForMessage()); write a date "
                        + "such as '2026-12-24T18:00:00+01:00'.")
            }
        }
        return .vardict(entries)
    }
}
