/// Starts apps that have quit: the daemon uses the desktop's means, and tests record the requests.
public protocol ApplicationLauncher: Sendable {
    /// Starts the app, which then connects and gets its response, or opens its settings.
    ///
    /// Returns false if there is no command that starts the app in the mode of the request. A
    /// response then waits for the app's next start.
    ///
    /// - Throws: `protocolViolation` if the app cannot be started.
    func launch(_ request: LaunchRequest) async throws(NotificationError) -> Bool
}

/// Decodes images and plays sounds outside of this process.
///
/// The program `tocsin-media` does the work; tests use a recording.
public protocol MediaPrograms: Sendable {
    /// Makes an image that any server can show.
    ///
    /// - Throws: `protocolViolation` if the file is damaged or not an image, or decoding takes too
    ///   long.
    func image(_ request: ImageRequest) async throws(NotificationError) -> Image

    /// Plays a sound to its end.
    ///
    /// - Throws: `protocolViolation` if neither the sound nor the desktop's own sound could be
    ///   played.
    func play(_ request: SoundRequest) async throws(NotificationError)
}

/// Runs the service extensions of apps that are not running.
///
/// A service extension changes pushed notifications. The daemon starts the program that the app's
/// desktop file names; tests answer by script.
public protocol ExtensionPrograms: Sendable {
    /// Runs the app's program with this request, and returns its result; nil if the app has no
    /// program.
    ///
    /// - Throws: `invalidArgument` if the command in the desktop file or the answer is malformed;
    ///   `protocolViolation` if the program cannot be started or ends without an answer;
    ///   an attachment error if a file of the answer cannot be used; `storeUnavailable` if the
    ///   program's folder cannot be made.
    func extend(
        _ request: NotificationRequest, of app: ApplicationID, as token: ExtensionToken
    ) async throws(NotificationError) -> ExtendedContent?

    /// Tells a program that its time is over; the program may still answer with the content that it
    /// has.
    func expire(_ token: ExtensionToken) async

    /// Stops a program whose answer is no longer needed.
    func endProgram(_ token: ExtensionToken) async
}

/// A service extension's result for a pushed notification.
public struct ExtendedContent: Sendable {
    /// The content to show in place of the original.
    public var content: NotificationContent
    /// The files, one for each attachment of the content, in the same order.
    public var attachments: [OpenFile]

    /// Makes a value.
    public init(content: NotificationContent, attachments: [OpenFile] = []) {
        self.content = content
        self.attachments = attachments
    }
}
