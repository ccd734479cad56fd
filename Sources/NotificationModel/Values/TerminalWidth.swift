extension String {
    /// How many columns of a terminal the text takes.
    ///
    /// The text has no line breaks. East Asian wide characters and emoji take two columns, and
    /// combining marks take none.
    ///
    /// Source: Unicode Standard Annex 11, the larger ranges of the classes W and F, and its rule
    /// that emoji presentation sequences are wide.
    package var terminalWidth: Int {
        // In ASCII each byte takes one column.
        utf8Span.isKnownASCII ? utf8.count : reduce(0) { $0 + $1.terminalWidth }
    }
}

extension Character {
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD,
    ]

    fileprivate var terminalWidth: Int {
        let scalars = unicodeScalars
        guard let first = scalars.first else { return 0 }
        // The variation selector 16 turns characters such as the heart into emoji.
        let isEmoji =
            first.properties.isEmojiPresentation
            || first.properties.isEmoji && scalars.dropFirst().first == "\u{FE0F}"
        return isEmoji || Self.wide.contains { $0.contains(first.value) } ? 2 : 1
    }
}
