public import Reactor

extension Reactor {
    /// A reactor with a thread, for tests.
    ///
    /// A test run has enough descriptors and threads, so a failure ends the process.
    public static func started(_ name: String = "test") -> Reactor {
        do throws(ReactorError) {
            return try Reactor(name: name)
        } catch {
            preconditionFailure(error.message)
        }
    }

    /// A reactor without a thread, for tests.
    public static func hosted(_ name: String) -> Reactor {
        do throws(ReactorError) {
            return try Reactor(hosted: name)
        } catch {
            preconditionFailure(error.message)
        }
    }
}
