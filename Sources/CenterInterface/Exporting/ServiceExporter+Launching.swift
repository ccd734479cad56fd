internal import DesktopBus
internal import NotificationModel

// How an app may be started again.
extension ServiceExporter {
    /// What an app says of itself, without a program to start it by where it does not run that
    /// very program, or where it says what cannot be kept.
    func verified(
        _ identity: ApplicationIdentity, of sender: BusName
    ) async -> ApplicationIdentity {
        guard !identity.executable.isEmpty || !identity.arguments.isEmpty else { return identity }
        if LaunchCommand(identity) != nil, await runs(identity.executable, sender) {
            return identity
        }
        var stripped = identity
        stripped.executable = ""
        stripped.arguments = []
        stripped.directory = ""
        stripped.startsInBackground = false
        return stripped
    }

    /// Whether a sender is a program outside of any sandbox.
    func isUnconfined(_ sender: BusName) async -> Bool {
        guard let process = try? await connection.credentials(of: sender).pid,
            !CallerProgram(process: process).isConfined
        else { return false }
        return (try? await connection.owner(of: sender)) ?? nil != nil
    }

    /// The process cannot have been replaced by another of its number: its connection was there
    /// before the kernel was asked, and is there afterwards.
    private func runs(_ executable: String, _ sender: BusName) async -> Bool {
        guard let process = try? await connection.credentials(of: sender).pid,
            CallerProgram(process: process).isRunning(executable)
        else { return false }
        return (try? await connection.owner(of: sender)) ?? nil != nil
    }
}
