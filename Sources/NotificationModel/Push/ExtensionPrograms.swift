/// Runs the programs that change the pushed notifications of apps that are not running.
///
/// The daemon starts what a desktop file names; tests answer by script.
public protocol ExtensionPrograms: Sendable {
    /// Runs the app's program with this request and gives what it made of it; nil where the app
    /// has no program.
    ///
    /// Fails where the program cannot be started, ends without an answer, or answers what cannot
    /// be understood.
    func extend(
        _ request: NotificationRequest, of app: ApplicationID, as token: ExtensionToken
    ) async throws(NotificationError) -> ExtendedContent?

    /// Tells a program that its time is over: it may still answer with what it has.
    func expire(_ token: ExtensionToken) async

    /// Ends a program whose answer is not wanted any more.
    func end(_ token: ExtensionToken) async
}
