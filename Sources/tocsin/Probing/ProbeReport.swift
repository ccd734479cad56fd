internal import Freedesktop
internal import NotificationModel

/// What `tocsin probe` found out about a notification server; pure.
struct ProbeReport: Hashable {
    static let notMeasured = "not measured"

    var server: ServerInformation
    /// What was seen: `yes`, `no`, a number, or a few words.
    var outcomes: [ProbeCell: String] = [:]
    /// What `CloseNotification` led to.
    var closing = notMeasured

    private func outcome(_ cell: ProbeCell) -> String {
        outcomes[cell] ?? Self.notMeasured
    }

    /// The server's name and the first word of its version that is a number: some add a date.
    private var label: String {
        let words = server.version.split(separator: " ")
        let number = words.first { $0.first?.isNumber == true }.map(String.init) ?? server.version
        return TerminalEscaping.line("\(server.name) \(number)")
    }

    /// A table of one row, as in the article.
    var text: String {
        let cells = ProbeCell.allCases
        let rows = [
            ["server"] + cells.map(\.title), ["---"] + cells.map { _ in "---" },
            [label] + cells.map(outcome),
        ]
        return rows.map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
            + "\nclosed by the app: \(closing)\n"
            + "capabilities: "
            + server.capabilities.sorted().map(TerminalEscaping.line).joined(separator: " ") + "\n"
    }

    /// For programs.
    var object: JSONValue {
        .object([
            .init("server", .string(server.name)),
            .init("vendor", .string(server.vendor)),
            .init("version", .string(server.version)),
            .init("specification", .string(server.specification)),
            .init("capabilities", .array(server.capabilities.sorted().map { .string($0) })),
            .init("closing", .string(closing)),
            .init(
                "cells",
                .object(ProbeCell.allCases.map { .init($0.rawValue, .string(outcome($0))) })),
        ])
    }
}
