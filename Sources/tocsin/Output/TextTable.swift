internal import NotificationModel

/// Rows of text with aligned columns; the last column is not padded.
struct TextTable {
    private struct Cell {
        var text: String
        var width: Int
    }

    private var rows: [[Cell]] = []
    /// The width of the widest cell of each column.
    private var widths: [Int] = []

    init(heading: [String]? = nil, rows: [[String]] = []) {
        self.rows.reserveCapacity(rows.count + 1)
        if let heading { add(heading) }
        for row in rows { add(row) }
    }

    mutating func add(_ row: [String]) {
        var cells: [Cell] = []
        cells.reserveCapacity(row.count)
        for (column, text) in row.enumerated() {
            let text = TerminalEscaping.line(text)
            let cell = Cell(text: text, width: text.terminalWidth)
            cells.append(cell)
            if column == widths.count { widths.append(0) }
            widths[column] = max(widths[column], cell.width)
        }
        rows.append(cells)
    }

    var text: String {
        // Appending to bytes is several times faster than appending to a string.
        var text: [UInt8] = []
        for row in rows {
            for (column, cell) in row.enumerated() {
                text.append(contentsOf: cell.text.utf8)
                guard column + 1 < row.count else { break }
                let padding = widths[column] - cell.width + 2
                text.append(contentsOf: repeatElement(UInt8(ascii: " "), count: padding))
            }
            text.append(UInt8(ascii: "\n"))
        }
        return String(decoding: text, as: UTF8.self)
    }
}
