internal import NotificationModel

/// Rows of text with aligned columns; the last column is not padded.
struct TextTable {
    private var rows: [[String]] = []

    init(heading: [String]? = nil, rows: [[String]] = []) {
        self.rows += [heading].compactMap(\.self)
        for row in rows { add(row) }
    }

    mutating func add(_ row: [String]) {
        rows.append(row.map(TerminalEscaping.line))
    }

    var text: String {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { $0.count > column ? $0[column].terminalWidth : 0 }.max() ?? 0
        }
        var text = ""
        for row in rows {
            for (column, cell) in row.enumerated() {
                text += cell
                guard column + 1 < row.count else { break }
                text += String(repeating: " ", count: widths[column] - cell.terminalWidth + 2)
            }
            text += "\n"
        }
        return text
    }
}
