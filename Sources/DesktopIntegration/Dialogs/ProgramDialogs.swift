internal import Glibc
public import NotificationModel
public import Reactor

/// Shows dialogs with the desktop's own program for them, zenity or kdialog.
///
/// It owns no state: each dialog is a child process. It promises that a cancelled dialog's program
/// ends, with SIGKILL if it must. It never draws a window itself.
public actor ProgramDialogs: DialogPresenter, ReactorActor {
    /// The time from SIGTERM to SIGKILL for a cancelled dialog.
    private static let terminationTimeout: Duration = .seconds(2)

    /// The reactor that starts the programs and watches for their end.
    public nonisolated let reactor: Reactor
    private let environment: @Sendable () async -> [String: String]

    /// Makes a presenter of dialogs.
    ///
    /// It reads the environment for each dialog, because a session may begin after the daemon
    /// starts.
    public init(
        reactor: Reactor, environment: @escaping @Sendable () async -> [String: String]
    ) {
        self.reactor = reactor
        self.environment = environment
    }

    /// Asks in a separate window.
    ///
    /// - Throws: `noServer` if no display is known or no dialog program is installed;
    ///   `protocolViolation` if the program does not start or its output is unusable.
    public func answer(to dialog: Dialog) async throws(NotificationError) -> DialogAnswer {
        var environment = await environment()
        guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else {
            throw NotificationError(
                .noServer,
                "The user has to be asked with a dialog, and no display is known: neither DISPLAY "
                    + "nor WAYLAND_DISPLAY is set. Use a notification server that draws buttons.")
        }
        guard let (program, path) = Self.program(in: environment) else {
            throw NotificationError(
                .noServer,
                "The user has to be asked with a dialog, because the notification server cannot "
                    + "ask, and no dialog program is installed. Install zenity or kdialog.")
        }
        let dialog = Self.printable(dialog)
        environment.merge(program.environment) { $1 }
        let worker = WorkerProgram([path] + program.arguments(dialog), reactor: reactor)
        let variables = environment
        let ended = await withTaskCancellationHandler {
            await Self.result(of: worker, in: variables)
        } onCancel: { [reactor] in
            Self.terminate(worker, on: reactor)
        }
        let (status, output) = try ended.get()
        return program.answer(
            to: dialog, status: status, output: String(decoding: output, as: UTF8.self))
    }

    private static func result(
        of worker: WorkerProgram, in environment: [String: String]
    ) async -> Result<(Int32, [UInt8]), NotificationError> {
        do throws(NotificationError) {
            return .success(
                try await worker.runToEnd(input: [], environment: environment, directory: "/"))
        } catch {
            return .failure(error)
        }
    }

    /// Sends SIGTERM, and SIGKILL if the program does not end.
    private static func terminate(_ worker: WorkerProgram, on reactor: Reactor) {
        reactor.perform { worker.assumeIsolated { $0.signal(SIGTERM) } }
        reactor.perform(after: terminationTimeout) { worker.assumeIsolated { $0.signal(SIGKILL) } }
    }

    /// Finds the program to use, the desktop's own first.
    private static func program(
        in environment: [String: String]
    ) -> (program: DialogProgram, path: String)? {
        let desktop = environment["XDG_CURRENT_DESKTOP"] ?? ""
        let isPlasma = desktop.split(separator: ":").contains("KDE")
        let programs = isPlasma ? DialogProgram.all.reversed() : DialogProgram.all
        let search = ProgramSearch(environment: environment)
        for program in programs {
            if let path = search.path(of: program.name) { return (program, path) }
        }
        return nil
    }

    /// Replaces control characters other than line feeds: an argument cannot contain NUL, and a
    /// label must not contain the others.
    private static func printable(_ dialog: Dialog) -> Dialog {
        func text(_ text: String, _ limit: Limit) -> String {
            let scalars = text.unicodeScalars.lazy
                .map { $0 == "\n" || $0.value >= 0x20 && $0.value != 0x7F ? $0 : " " }
            return String(String(String.UnicodeScalarView(scalars)).prefix(limit.most))
        }
        let kind: Dialog.Kind =
            switch dialog.kind {
            case .choice(let accept, let refuse):
                .choice(
                    accept: text(accept, Limits.dialogButton),
                    refuse: text(refuse, Limits.dialogButton))
            case .text(let accept): .text(accept: text(accept, Limits.dialogButton))
            }
        return Dialog(
            kind, title: text(dialog.title, Limits.dialogTitle),
            text: text(dialog.text, Limits.dialogText))
    }
}
