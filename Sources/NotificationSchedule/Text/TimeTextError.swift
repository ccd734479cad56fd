/// A text that does not say a time: what is wrong with it, where, and what to write instead.
public struct TimeTextError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of mistake it is.
    public enum Kind: Hashable, Sendable {
        /// The text cannot be understood.
        case notUnderstood
        /// The text says a time that is over.
        case past
    }

    /// What kind of mistake it is.
    public var kind: Kind
    /// The whole text.
    public var text: String
    /// Which characters of the text are meant.
    public var range: Range<Int>
    /// What is wrong with them.
    public var problem: String
    /// What to write instead.
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

    /// The text and, below it, a caret under the characters that are meant.
    public var pointer: String {
        let shown = text.map { $0.isNewline || $0 == "\t" ? " " : $0 }
        let tail = String(repeating: "~", count: max(0, range.count - 1))
        return "  " + String(shown) + "\n  " + String(repeating: " ", count: range.lowerBound) + "^"
            + tail
    }
}
