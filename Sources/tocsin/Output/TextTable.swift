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
            rows.map { $0.count > column ? Self.width($0[column]) : 0 }.max() ?? 0
        }
        var text = ""
        for row in rows {
            for (column, cell) in row.enumerated() {
                text += cell
                guard column + 1 < row.count else { break }
                text += String(repeating: " ", count: widths[column] - Self.width(cell) + 2)
            }
            text += "\n"
        }
        return text
    }

    /// How many columns of a terminal a text takes.
    ///
    /// East Asian wide characters and emoji take two columns, and combining marks take none.
    ///
    /// Source: Unicode Standard Annex 11, the larger ranges of the classes W and F, and its rule
    /// that emoji presentation sequences are wide.
    static func width(_ text: String) -> Int {
        // In ASCII each byte takes one column. `add` has replaced line breaks by spaces.
        text.utf8.allSatisfy { $0 < 0x80 } ? text.utf8.count : text.reduce(0) { $0 + width($1) }
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD,
    ]

    private static func width(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        // The variation selector 16 turns characters such as the heart into emoji.
        let isEmoji =
            first.properties.isEmojiPresentation
            || first.properties.isEmoji && scalars.dropFirst().first == "\u{FE0F}"
        return isEmoji || wide.contains { $0.contains(first.value) } ? 2 : 1
    }
}
