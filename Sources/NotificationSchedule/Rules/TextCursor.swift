internal import NotificationModel

/// A text, and the place that its parser has reached.
struct TextCursor {
    let text: String
    let characters: [Character]
    var position: Int
    /// The place at which reading ends.
    var end: Int

    /// The cursor begins after the leading blanks and ends before the trailing blanks.
    init(_ text: String) {
        self.text = text
        characters = Array(text)
        position = characters.firstIndex { $0 != " " } ?? characters.count
        end = (characters.lastIndex { $0 != " " } ?? -1) + 1
        end = max(end, position)
    }

    var isAtEnd: Bool { position >= end }

    var next: Character? { peek(0) }

    func peek(_ distance: Int) -> Character? {
        position + distance < end ? characters[position + distance] : nil
    }

    /// If `word` comes next, moves past it and returns true.
    mutating func accept(_ word: String) -> Bool {
        let letters = Array(word)
        guard position + letters.count <= end,
            characters[position..<position + letters.count].elementsEqual(letters)
        else { return false }
        position += letters.count
        return true
    }

    mutating func skipBlanks() {
        while next == " " { position += 1 }
    }

    /// Reads the digits that come next; the result may be empty.
    mutating func digits() -> String {
        var digits = ""
        while let character = next, character.isASCII, character.isNumber {
            digits.append(character)
            position += 1
        }
        return digits
    }

    /// The letters that come next, in lower case.
    ///
    /// The cursor does not move.
    func word() -> String {
        String(characters[position..<end].prefix { $0.isLetter }).lowercased()
    }

    /// The characters up to the next blank.
    var restOfWord: Range<Int> {
        let stop = characters[position..<end].firstIndex(of: " ") ?? end
        return position..<max(stop, position)
    }

    func string(_ range: Range<Int>) -> String { String(characters[range]) }

    func quoted(_ range: Range<Int>) -> String { string(range).quotedForMessage(limit: 40) }

    func error(_ range: Range<Int>, _ problem: String, _ remedy: String) -> TimeTextError {
        let start = min(range.lowerBound, characters.count)
        return TimeTextError(
            text: text, range: start..<max(start + 1, range.upperBound), problem: problem,
            remedy: remedy)
    }
}
