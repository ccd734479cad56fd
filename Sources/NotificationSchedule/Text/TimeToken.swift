internal import NotificationModel

/// One word of a time text, in lower case, with its place in the text.
struct TimeToken: Hashable {
    var text: String
    var range: Range<Int>

    /// Splits a text at blanks and commas.
    static func split(_ text: String) -> [TimeToken] {
        Array(text).split { $0.isWhitespace || $0 == "," }
            .map { TimeToken(text: String($0).lowercased(), range: $0.indices) }
    }

    /// Splits the word into numbers and other parts: `1.5h` becomes `1.5` and `h`.
    func splitAtDigits() -> [TimeToken] {
        var parts: [TimeToken] = []
        var wasNumber = false
        for (index, character) in text.enumerated() {
            let isNumber = character.isASCII && (character.isNumber || character == ".")
            let place = range.lowerBound + index
            if isNumber == wasNumber, var last = parts.popLast() {
                last.text.append(character)
                last.range = last.range.lowerBound..<place + 1
                parts.append(last)
            } else {
                parts.append(TimeToken(text: String(character), range: place..<place + 1))
            }
            wasNumber = isNumber
        }
        return parts
    }
}

extension Collection<TimeToken> {
    /// The words; `8` and `am` become the one word `8am`.
    var joiningHalvesOfDay: [TimeToken] {
        let halves = ["am", "pm"]
        return reduce(into: []) { tokens, token in
            guard halves.contains(token.text), let last = tokens.last,
                last.text.allSatisfy({ $0.isNumber || $0 == ":" })
            else { return tokens.append(token) }
            tokens[tokens.count - 1] = TimeToken(
                text: last.text + token.text,
                range: last.range.lowerBound..<token.range.upperBound)
        }
    }
}

/// Finds the known word that a misspelled word probably means.
package enum KnownWords {
    package static func hint(for word: String, among words: [String]) -> String? {
        let near = words.map { (word: $0, distance: distance(word, $0)) }
            .min { $0.distance < $1.distance }
        guard let near, near.distance <= (word.count <= 4 ? 1 : 2) else { return nil }
        return near.word
    }

    // Levenshtein distance in which two swapped letters are one mistake (optimal string alignment).
    // The function compares only the first 32 characters of a word, because input may be long.
    static func distance(_ left: String, _ right: String) -> Int {
        let left = Array(left.prefix(32))
        let right = Array(right.prefix(32))
        var former: [Int] = []
        var row = Array(0...right.count)
        for (i, a) in left.enumerated() {
            var next = [i + 1]
            for (j, b) in right.enumerated() {
                var cost = min(next[j] + 1, row[j + 1] + 1, row[j] + (a == b ? 0 : 1))
                if i > 0, j > 0, a == right[j - 1], b == left[i - 1] {
                    cost = min(cost, former[j - 1] + 1)
                }
                next.append(cost)
            }
            (former, row) = (row, next)
        }
        return row[right.count]
    }
}

/// A mistake in the text of a time, a length of time or a rule: the problem, its place in the text,
/// and a remedy.
public struct TimeTextError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of the mistake.
    public enum Kind: Hashable, Sendable {
        /// The text cannot be understood.
        case notUnderstood
        /// The text names a past time.
        case past
        /// The text names another time zone than the caller gave.
        case otherZone
    }

    /// The kind of the mistake.
    public var kind: Kind
    /// The whole text.
    public var text: String
    /// The characters of the text that have the problem.
    public var range: Range<Int>
    /// The problem with these characters.
    public var problem: String
    /// Advice on the text to write instead.
    public var remedy: String

    /// Makes an error.
    public init(
        _ kind: Kind = .notUnderstood, text: String, range: Range<Int>, problem: String,
        remedy: String
    ) {
        self.kind = kind
        self.text = text
        self.range = range
        self.problem = problem
        self.remedy = remedy
    }

    /// Problem and remedy on one line.
    public var description: String { "\(problem); \(remedy)" }

    /// The text and, below it, a caret under the characters that have the problem.
    public var pointer: String {
        let shown = text.map { $0.isNewline || $0 == "\t" ? " " : $0 }
        let before = String(shown.prefix(range.lowerBound))
        let marked = String(shown.dropFirst(range.lowerBound).prefix(range.count))
        return "  " + String(shown) + "\n  " + String(repeating: " ", count: before.terminalWidth)
            + "^" + String(repeating: "~", count: max(0, marked.terminalWidth - 1))
    }
}
