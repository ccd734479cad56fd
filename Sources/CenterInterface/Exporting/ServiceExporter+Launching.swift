internal import DesktopBus
internal import NotificationModel

// How an app may be started again.
extension ServiceExporter {
    /// What an app says of itself, without a program to start it by where it does not run that
    /// very program, or where it says what cannot be kept; and in a sandbox without paths, which
    /// mean nothing here, or something else.
    func verified(
        _ identity: ApplicationIdentity, of sender: BusName
    ) async -> ApplicationIdentity {
        let rights = await rights(of: sender) ?? .none
        var identity = identity
        if rights.scope != .person {
            identity.resources = nil
            identity.formerID = nil
            identity.needsPermission = true
            if identity.icon.isPath { identity.icon = "" }
        }
        if LaunchCommand(identity) != nil, rights.runs(identity.executable) { return identity }
        identity.executable = ""
        identity.arguments = []
        identity.directory = ""
        identity.startsInBackground = false
        return identity
    }
}
