/// What kept the test harness itself from doing its part, as opposed to a failed expectation.
package struct HarnessError: Error, CustomStringConvertible {
    /// What was tried, what happened, what was seen meanwhile.
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
