/// A failure of the test harness itself, as opposed to a failed expectation.
package struct HarnessError: Error, CustomStringConvertible {
    /// The attempt, its outcome, and the last state that the test saw.
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
