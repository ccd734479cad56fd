/// Why the rules of a time zone could not be read.
public struct ZoneError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with the data, for people; a clause.
    public let problem: String

    /// Makes an error.
    public init(_ problem: String) {
        self.problem = problem
    }

    /// The problem.
    public var description: String { problem }
}
