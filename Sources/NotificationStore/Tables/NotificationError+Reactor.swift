package import NotificationModel
package import Reactor

extension NotificationError {
    /// The error where this process may have no further descriptor or thread.
    package init(_ error: ReactorError) {
        self.init(.limitReached, error.message)
    }
}
