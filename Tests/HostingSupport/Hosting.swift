import Testing

/// The process that runs the engine in a test; the same test body can run with both cases.
package enum Hosting: String, CaseIterable, Sendable, CustomTestStringConvertible {
    /// In the test's own process.
    case embedded
    /// In a real `tocsind` on the test's bus.
    case daemon

    /// The name in the list of tests.
    package var testDescription: String { rawValue }

    /// Returns `base` with the variables that make a program use this hosting.
    package func environment(_ base: [String: String]) -> [String: String] {
        base.merging(["TOCSIN_MODE": rawValue, "TOCSIN_APP_ID": "org.tocsin.Test"]) { $1 }
    }
}
