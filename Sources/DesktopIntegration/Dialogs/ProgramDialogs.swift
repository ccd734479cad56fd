internal import Glibc
public import NotificationModel
public import Reactor

/// Shows dialogs with the desktop's own dialog program, zenity or kdialog.
///
/// Each dialog is a child process. If a dialog is cancelled, its program gets SIGTERM. If the
/// program has not ended two seconds later, it gets SIGKILL.
public actor ProgramDialogs: DialogPresenter, ReactorActor {
    /// The time from SIGTERM to SIGKILL for a cancelled dialog.
    private static let terminationTimeout: Duration = .seconds(2)

    /// The reactor that starts the programs and watches for their end.
    public nonisolated let reactor: Reactor
    private let environment: @Sendable () async -> [String: String]

    /// Makes a presenter of dialogs.
    ///
    /// The presenter reads the environment for each dialog, because a desktop session may begin
    /// after the daemon starts.
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
        let environment = await environment()
        let (program, path) = try Self.program(of: DialogProgram.all, \.name, in: environment)
        let dialog = Self.printable(dialog)
        let (status, output) = try await run(
            [path] + program.arguments(dialog),
            in: environment.merging(program.environment) { $1 })
        return program.answer(to: dialog, status: status, output: output)
    }

    /// Shows an alert; each text field has a window of its own.
    ///
    /// If an alert with text fields has only one button besides Cancel, the last field's window has
    /// that button. Any other alert shows its buttons in one more window.
    ///
    /// - Throws: `noServer` or `protocolViolation`, as `answer(to:)` of a dialog.
    public func answer(to alert: AlertDialog) async throws(NotificationError) -> AlertAnswer {
        let environment = await environment()
        let (program, path) = try Self.program(of: AlertProgram.all, \.name, in: environment)
        let alert = Self.printable(alert)
        var texts: [String] = []
        for field in alert.fields {
            let isLast = texts.count + 1 == alert.fields.count
            let accept = isLast ? alert.onlyChoice ?? "Continue" : "Continue"
            let (status, output) = try await run(
                [path] + program.fieldArguments(alert, field, accept), in: environment)
            guard let text = program.text(status: status, output: output) else {
                return AlertAnswer(button: nil)
            }
            texts.append(text)
        }
        if !texts.isEmpty, alert.onlyChoice != nil { return AlertAnswer(button: 0, texts: texts) }
        let (status, output) = try await run([path] + program.arguments(alert), in: environment)
        return AlertAnswer(button: program.button(alert, status, output), texts: texts)
    }

    private func run(
        _ arguments: [String], in environment: [String: String]
    ) async throws(NotificationError) -> (status: Int32, output: String) {
        let worker = WorkerProgram(arguments, reactor: reactor)
        let ended = await withTaskCancellationHandler {
            await Self.result(of: worker, in: environment)
        } onCancel: { [reactor] in
            Self.terminate(worker, on: reactor)
        }
        let (status, output) = try ended.get()
        return (status, String(decoding: output, as: UTF8.self))
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

    private static func terminate(_ worker: WorkerProgram, on reactor: Reactor) {
        reactor.perform { worker.assumeIsolated { $0.signal(SIGTERM) } }
        reactor.perform(after: terminationTimeout) { worker.assumeIsolated { $0.signal(SIGKILL) } }
    }

    /// Finds an installed dialog program; the search begins with the desktop's own program.
    ///
    /// - Throws: `noServer` if no display is known or no dialog program is installed.
    private static func program<Program>(
        of all: [Program], _ name: (Program) -> String, in environment: [String: String]
    ) throws(NotificationError) -> (program: Program, path: String) {
        guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else {
            throw NotificationError(
                .noServer,
                "Tocsin cannot show a dialog: neither DISPLAY nor WAYLAND_DISPLAY is set. Set one "
                    + "of them, or use a notification server with buttons and text fields.")
        }
        let desktop = environment["XDG_CURRENT_DESKTOP"] ?? ""
        let isPlasma = desktop.split(separator: ":").contains("KDE")
        let search = ProgramSearch(environment: environment)
        for program in isPlasma ? all.reversed() : all {
            if let path = search.path(of: name(program)) { return (program, path) }
        }
        throw NotificationError(
            .noServer,
            "Tocsin cannot show a dialog: neither zenity nor kdialog is installed. "
                + "Install zenity or kdialog.")
    }

    /// Replaces ASCII control characters other than line feeds by spaces, and cuts long texts.
    ///
    /// An argument cannot contain NUL, and a label must not contain other control characters.
    private static func printable(_ dialog: Dialog) -> Dialog {
        let kind: Dialog.Kind =
            switch dialog.kind {
            case .choice(let accept, let refuse):
                .choice(
                    accept: printable(accept, Limits.dialogButton),
                    refuse: printable(refuse, Limits.dialogButton))
            case .text(let accept): .text(accept: printable(accept, Limits.dialogButton))
            }
        return Dialog(
            kind, title: printable(dialog.title, Limits.dialogTitle),
            text: printable(dialog.text, Limits.dialogText))
    }

    private static func printable(_ alert: AlertDialog) -> AlertDialog {
        AlertDialog(
            title: printable(alert.title, Limits.dialogTitle),
            text: printable(alert.text, Limits.dialogText),
            buttons: alert.buttons.map { printable($0, Limits.dialogButton) },
            hasCancelButton: alert.hasCancelButton,
            fields: alert.fields.map {
                AlertDialog.Field(
                    placeholder: printable($0.placeholder, Limits.dialogTitle),
                    text: printable($0.text, Limits.dialogText), isSecret: $0.isSecret)
            })
    }

    private static func printable(_ text: String, _ limit: Limit) -> String {
        let scalars = text.unicodeScalars.lazy
            .map { $0 == "\n" || $0.value >= 0x20 && $0.value != 0x7F ? $0 : " " }
        return String(String(String.UnicodeScalarView(scalars)).prefix(limit.most))
    }
}
