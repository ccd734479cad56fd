/// Tells whether the person's session is locked.
///
/// The desktop's screen saver and logind, or a recording in tests.
public protocol LockSource: Sendable {
    /// Starts to listen, and gives what is known when everybody was asked; what changes later goes
    /// to the listener, in order.
    func follow(_ listener: @escaping @Sendable (LockStatus) -> Void) async -> LockStatus
}
