internal import NotificationModel
internal import NotificationSchedule

/// The pending requests by day, below a bar of the next 24 hours; pure.
///
/// Each line has the number by which commands select its request. An agenda of all apps has no
/// numbers, because a number selects among the requests of one app.
struct Agenda {
    private static let cells = 48
    /// The duration of one cell of the bar, in microseconds: half an hour.
    private static let cell: Int64 = 1_800_000_000

    /// The pending requests in the order in which they fire.
    var rows: [PendingNotification]
    /// The dates within the next 24 hours, for the bar.
    var dates: [Instant]
    var times: RelativeTime
    var terminal: Terminal
    var showsApp = false
    var waitsForLogin = false

    var text: String {
        bar
            + groups.map { group in
                "\n" + terminal.styled(group.title, .heading) + "\n" + table(group.rows)
            }.joined()
    }

    // MARK: The next 24 hours

    private var bar: String {
        let offset = Int64(times.zone.offset(at: times.now.wholeSeconds)) * 1_000_000
        let local = times.now.microseconds + offset
        let start = times.now.adding(
            microseconds: local.floorDivided(by: Self.cell) * Self.cell - local)
        var counts = [Int](repeating: 0, count: Self.cells)
        for date in dates {
            let cell = date.microseconds(since: start) / Self.cell
            if (0..<Int64(Self.cells)).contains(cell) { counts[Int(cell)] += 1 }
        }
        let marks = counts.map { $0 == 0 ? "·" : $0 == 1 ? "●" : $0 < 10 ? String($0) : "+" }
        let drawn = marks.joined()
        return terminal.styled("The next 24 hours", .heading) + "\n  \(drawn)\n"
            + terminal.styled("  " + labels(from: start), .quiet) + "\n"
    }

    /// The line below the bar, with every sixth hour.
    private func labels(from start: Instant) -> String {
        var line = ""
        for index in 0..<Self.cells {
            let time = times.zone.civilTime(
                at: start.adding(microseconds: Int64(index) * Self.cell))
            guard time.minute == 0, time.hour % 6 == 0, line.count <= index else { continue }
            line += String(repeating: " ", count: index - line.count)
            line += time.hour < 10 ? "0\(time.hour)" : "\(time.hour)"
        }
        return line
    }

    // MARK: The days

    private typealias Row = (number: Int, pending: PendingNotification)

    private var groups: [(title: String, rows: [Row])] {
        var groups: [(title: String, rows: [Row])] = []
        for (index, pending) in rows.enumerated() {
            let title = title(of: pending)
            if groups.last?.title != title { groups.append((title, [])) }
            groups[groups.count - 1].rows.append((index + 1, pending))
        }
        return groups
    }

    private func title(of pending: PendingNotification) -> String {
        guard let date = pending.nextFire else { return "Without a date" }
        guard date > times.now else { return "Due" }
        let (day, today) = (times.zone.civilTime(at: date), times.zone.civilTime(at: times.now))
        let text = times.day(day, showsYear: day.year != today.year)
        switch day.dayNumber - today.dayNumber {
        case 0: return "Today, \(text)"
        case 1: return "Tomorrow, \(text)"
        default: return text
        }
    }

    private func table(_ rows: [Row]) -> String {
        TextTable(rows: rows.map { columns($0.number, $0.pending) }).text
    }

    private func columns(_ number: Int, _ pending: PendingNotification) -> [String] {
        let date = pending.nextFire.map(clock) ?? "-"
        let identifier = pending.request.identifier
        let start =
            showsApp
            ? ["  \(date)", identifier, pending.app.rawValue]
            : ["  \(number)", date, identifier]
        return start + [pending.request.content.title + remark(on: pending)]
    }

    private func clock(_ date: Instant) -> String {
        let time = times.zone.civilTime(at: date).clockText
        return time.hasSuffix(":00") ? String(time.dropLast(3)) : time
    }

    private func remark(on pending: PendingNotification) -> String {
        var notes = pending.nextFire.map { [times.distance($0)] } ?? []
        if let note = RelativeTime.remark(on: pending.request.trigger) { notes.append(note) }
        if waitsForLogin { notes.append("waits for login") }
        return notes.isEmpty ? "" : "  (\(notes.joined(separator: "; ")))"
    }
}
