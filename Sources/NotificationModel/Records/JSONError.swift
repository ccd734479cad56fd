/// Why a text is not JSON, and where.
package struct JSONError: Error, Hashable, CustomStringConvertible {
    /// The line, from 1.
    package var line: Int
    /// The character in the line, from 1.
    package var column: Int
    /// What is wrong there.
    package var problem: String

    /// Place and problem, for the middle of a sentence.
    package var description: String { "line \(line), column \(column): \(problem)" }
}
