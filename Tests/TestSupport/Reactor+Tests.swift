public import Reactor

extension Reactor {
    /// One with a thread, for a test, which has descriptors and threads enough.
    public static func started(_ name: String = "test") -> Reactor {
        do throws(ReactorError) {
            return try Reactor(name: name)
        } catch {
            preconditionFailure(error.message)
        }
    }

    /// One without a thread, for a test.
    public static func hosted(_ name: String) -> Reactor {
        do throws(ReactorError) {
            return try Reactor(hosted: name)
        } catch {
            preconditionFailure(error.message)
        }
    }
}
