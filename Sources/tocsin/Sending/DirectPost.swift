internal import CenterInterface
internal import DesktopBus
internal import Freedesktop
internal import Glibc
internal import NotificationModel
internal import Reactor

/// Shows one notification directly on the desktop's server, without a notification centre.
///
/// It shows a popup, plays the sound alone if there is no text, or throws an error with the reason.
/// After the end of this command, no process handles a response to the notification.
struct DirectPost {
    private enum Event: Sendable {
        case outcome(PresentationOutcome)
        /// A delayed post can be retried: the server is identified, or the pause is over.
        case ready
        case answered(NotificationResponse.Action)
        case left
        case serverGone
        case timedOut
        case interrupted(Int32)
        case busLost
    }

    /// Why no notification centre shows the notification.
    private enum Reason {
        case noDaemon
        /// The notification centre serves another session, so it cannot show a popup in this one.
        case otherSession
        /// The notification centre has no space left; the message names the limit.
        case noSpace(String)

        var notice: String {
            let cause =
                switch self {
                case .noDaemon: "no notification centre runs or can be started, so this"
                case .otherSession: "the notification centre serves another session, so this"
                case .noSpace(let message): "\(message) This"
                }
            return "tocsin: \(cause) goes straight to the notification server: it cannot be kept "
                + "or snoozed, and a response after the end of this command is lost. Some "
                + "desktops remove it when this command ends"
        }
    }

    private let reason: Reason
    private let connection: BusConnection
    private let request: NotificationRequest
    private let application: ApplicationIdentity
    private let environment: ToolEnvironment

    /// Makes a post if one of three reasons holds; otherwise rethrows the centre's error.
    ///
    /// The reasons are:
    /// - The daemon serves another session.
    /// - The centre has no space left.
    /// - No daemon runs or is installed, and the directory of the tool's program has none.
    ///
    /// With `TOCSIN_MODE=daemon`, only the first reason counts. `application` must not name a
    /// desktop file: otherwise some servers remove the popup when its sender ends.
    init(
        _ request: NotificationRequest, for application: ApplicationIdentity,
        after error: any Error, on connection: BusConnection, in environment: ToolEnvironment
    ) async throws {
        let failure = ToolError(error)
        if failure.code == .storeElsewhere {
            reason = .otherSession
        } else if environment.variable("TOCSIN_MODE") == "daemon" {
            throw error
        } else if failure.code == .noSpace {
            reason = .noSpace(failure.message)
        } else {
            let launcher = DaemonLauncher(environment: environment.variables)
            guard failure.status == .unreachable, await !launcher.canServe(on: connection) else {
                throw error
            }
            reason = .noDaemon
        }
        self.connection = connection
        self.environment = environment
        var request = request
        // Only a notification centre can handle these buttons.
        request.content.actions.removeAll { $0.snooze != nil }
        self.request = request
        self.application = application
    }

    /// Shows the notification, and calls `shown`.
    ///
    /// If `waits` is true, it then waits for the response, no longer than the limit, and returns
    /// the outcome. Otherwise it returns nil.
    ///
    /// Ctrl-C, SIGTERM and the end of the terminal remove the popup, and then end the process as
    /// usual.
    func perform(
        waits: Bool = false, within limit: Duration? = nil,
        shown: () throws -> Void = {}
    ) async throws -> WaitOutcome? {
        Output.warn(reason.notice)
        let waiting = DelayNotice(for: .server, on: connection.reactor)
        defer { waiting.cancel() }
        let (events, source) = AsyncStream.makeStream(of: Event.self)
        let presenter = FreedesktopPresenter(
            connection: connection, language: environment.language
        ) { [environment] in
            environment.variables
        }
        await connection.onLoss { source.yield(.busLost) }
        let sound = Locked<SoundRequest?>(nil)
        await presenter.start { event in
            // The presenter sends the outcome and the sound in one step on this thread. So this
            // closure has stored the sound when the loop below handles the outcome.
            if case .sound(_, let soundRequest) = event { sound.withLock { $0 = soundRequest } }
            Self.event(event).map { _ = source.yield($0) }
        }
        if request.content.actions.contains(where: { $0.textInput != nil }) {
            try ReplySupport.report(
                ReplySupport.problemWithoutCentre(of: await presenter.status()),
                remedy: "Install Tocsin whole, with tocsind, and zenity or kdialog.", waits: waits)
        }
        let notification = DeliveredNotification(
            app: application.id, request: request, date: Instant(microseconds: 0))
        var presentation = Presentation(
            token: 1, notification: notification, application: application,
            category: request.content.category(over: nil))
        presentation.isAwaited = waits
        presenter.post([presentation])
        var answer: WaitOutcome?
        var watch: SignalWatch?
        defer { withExtendedLifetime(watch) {} }
        // The presenter may have reported `ready` before the post; only a delayed post is retried.
        var (isDelayed, isShown) = (false, false)
        for await event in events {
            switch event {
            case .outcome(.withoutPopup):
                try shown()
                await play(sound.withLock { $0 }, beside: presenter)
            case .outcome(.presented):
                waiting.cancel()
                isShown = true
                try shown()
                await play(sound.withLock { $0 }, beside: presenter)
                guard waits else { return nil }
                watch = source.watchSignals(on: connection.reactor, Event.interrupted)
                if let limit { source.yield(.timedOut, after: limit, on: connection.reactor) }
                continue
            case .outcome(.later(let delay)):
                isDelayed = true
                if delay != .identifying {
                    source.yield(.ready, after: Self.retryPause, on: connection.reactor)
                }
                continue
            case .ready:
                if isDelayed { presenter.post([presentation]) }
                isDelayed = false
                continue
            case .outcome(let outcome): throw Self.failure(outcome)
            case .answered(let action): answer = .response(action)
            case .timedOut, .interrupted:
                presenter.withdraw([notification.key])
                await connection.flush()
                // Without the watch, the signal ends the process as usual; a shell relies on that.
                watch = nil
                if case .interrupted(let number) = event { raise(number) }
                answer = .timedOut
            case .left: answer = .timedOut
            case .serverGone where isShown: answer = .timedOut
            case .serverGone where isDelayed: throw Self.failure(.unavailable)
            // The presenter still reports the outcome of the post.
            case .serverGone: continue
            case .busLost:
                throw ToolError.unreachable(
                    "The session bus was lost while the notification was on the screen. Send it "
                        + "again in a running session.")
            }
            break
        }
        return waits ? answer ?? .timedOut : nil
    }

    private static func event(_ event: PresenterEvent) -> Event? {
        switch event {
        case .outcome(_, let outcome): .outcome(outcome)
        case .response(_, let action, _): .answered(action)
        case .dismissed: .answered(.dismiss)
        case .expired, .lost: .left
        case .unavailable: .serverGone
        case .ready: .ready
        case .available, .serverMissing, .serverIdentified, .unheard, .openSettings, .roomMade,
            .sound:
            nil
        }
    }

    /// Plays a sound that the server does not play, in a program that outlives this one.
    private func play(_ soundRequest: SoundRequest?, beside presenter: FreedesktopPresenter) async {
        guard let soundRequest else { return }
        if !soundRequest.isCritical, await presenter.status().isInhibited == true { return }
        guard let program = CompanionProgram.installed("tocsin-media") else {
            if request.content.sound != nil {
                Output.warn(
                    "tocsin: the notification is silent: the server plays no sounds, and "
                        + "tocsin-media is not installed. Install Tocsin with its folder libexec.")
            }
            return
        }
        do throws(SystemFailure) {
            try Subprocess.detach(
                [program] + soundRequest.arguments, environment: environment.variables,
                directory: "/")
        } catch {
            Output.warn("tocsin: the notification is silent: \(program) did not start: \(error)")
        }
    }

    /// The pause before the retry of a post that the server asked to delay.
    private static let retryPause: Duration = .milliseconds(1_100)

    private static func failure(_ outcome: PresentationOutcome) -> ToolError {
        switch outcome {
        case .refused(let reason):
            ToolError.failure(
                "The notification server did not show the notification: it refused: \(reason)")
        case .unanswered: unconfirmed("did not confirm")
        case .interrupted: unconfirmed("ended before it confirmed")
        case .presented, .deliveredSilently, .withoutPopup, .unavailable, .later:
            ToolError.noServer(
                "There is neither a notification centre nor a notification server on the session "
                    + "bus; nothing was sent. Start the desktop's own server, or install one such "
                    + "as dunst, or install Tocsin, which shows notifications as soon as a server "
                    + "appears.")
        }
    }

    /// The error if it is unknown whether the server showed the notification.
    private static func unconfirmed(_ failure: String) -> ToolError {
        ToolError.failure(
            "The notification server \(failure) the notification, which may be on the screen. Look "
                + "there before you send it again.")
    }
}
