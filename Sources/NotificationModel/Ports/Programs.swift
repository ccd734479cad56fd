/// Starts apps that have quit: the daemon by the desktop's means; tests take notes.
public protocol ApplicationLauncher: Sendable {
    /// Starts the app, which then connects and gets its response.
    ///
    /// False where nothing is known that could start it in this mode: the response waits for the
    /// app's next start. Fails where starting it failed.
    func launch(_ order: LaunchOrder) async throws(NotificationError) -> Bool
}

/// Decodes pictures and plays sounds outside of this process.
///
/// The desktop's programs, or a recording in tests.
public protocol MediaPrograms: Sendable {
    /// Makes a picture that any server can show.
    ///
    /// Fails where the file is damaged or no picture, or where it takes too long.
    func picture(_ order: PictureOrder) async throws(NotificationError) -> Picture

    /// Plays a sound to its end.
    ///
    /// Fails where it could not be played, nor the desktop's own in its place.
    func play(_ order: SoundOrder) async throws(NotificationError)
}

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

/// A service extension's result for a pushed notification.
public struct ExtendedContent: Sendable {
    /// The content to show in place of the original.
    public var content: NotificationContent
    /// The files of its attachments, one each, in the same order.
    public var attachments: [OpenFile]

    /// Makes a value.
    public init(content: NotificationContent, attachments: [OpenFile] = []) {
        self.content = content
        self.attachments = attachments
    }
}
