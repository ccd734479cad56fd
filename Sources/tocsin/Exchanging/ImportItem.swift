internal import NotificationModel

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

extension ImportItem {
    /// What a line says besides its request.
    private struct Place: Sendable {
        var app: ApplicationID?
        var state = ""
        var nextFire: Instant?

        static let record = Record<Place>([
            Field("app", \.app), Field("state", \.state, ""), Field("nextFire", \.nextFire),
        ]) { Place() }
    }

    /// Reads a JSON line, as `export` writes it; nil for one that was delivered, and is not shown
    /// again.
    init?(line: [UInt8]) throws(ToolError) {
        do throws(NotificationError) {
            let entries = try RecordJSON.entries(of: line, "The line")
            let place = try Place.record.value(of: entries, "the line")
            guard place.state != "delivered" else { return nil }
            var request = try NotificationRequest.record.value(of: entries, "the line")
            // The time that has gone since the line was written is not waited for again.
            if case .interval(_, repeats: false) = request.trigger, let date = place.nextFire {
                request.trigger = .at(date)
            }
            self.init(
                app: place.app, request: request, nextFire: place.nextFire,
                commands: entries.contains { $0.name == "commands" }
                    ? try Self.commands(of: line) : nil)
        } catch {
            throw ToolError(error)
        }
    }

    /// The member of that name as it is written; its texts are arguments of programs.
    private static func commands(of line: [UInt8]) throws(NotificationError) -> PropertyListValue? {
        do throws(JSONError) {
            guard case .dictionary(let members) = try JSONReader.value(of: line) else { return nil }
            return members["commands"]
        } catch {
            throw NotificationError(
                .invalidArgument, "The key 'commands' cannot be read: \(error).")
        }
    }
}
