internal import CenterInterface
internal import NotificationModel

/// A request that `send`, `schedule`, its short forms or `run` adds to the notification centre.
///
/// Its commands are stored before the request is added, so that every click finds its command.
struct OutgoingRequest {
    var request: NotificationRequest
    var files: [OpenFile] = []
    let app: (id: ApplicationID, identity: ApplicationIdentity?)
    var commands: ClickCommands?
    /// Whether the tool made the identifier, so that the request replaces no other request.
    let isNew: Bool
    let environment: ToolEnvironment

    var key: NotificationKey {
        NotificationKey(app: app.id, identifier: request.identifier)
    }

    /// Stores the commands, and returns the commands of a request that this request replaces.
    func keepCommands() throws(ToolError) -> ClickCommands? {
        try CommandFile.keepCommands(commands, of: key, isNew: isNew, in: environment)
    }

    /// Tells the centre the sender's name and, if there are commands, how a click starts the tool.
    func introduce(to center: CenterClient) async throws(NotificationError) {
        if commands != nil {
            try await center.introduce(
                ResponderIdentity.identity(of: app.id, named: app.identity?.name))
        } else if let identity = app.identity {
            try await center.introduce(identity)
        }
    }

    /// Removes the commands of a request that was not added.
    ///
    /// The request that it would have replaced stays, and gets its `former` commands back. If the
    /// answer was lost, the new request may have been added. The key then gets no commands, so that
    /// a click on the new request does not run the former commands.
    func withdrawCommands(_ former: ClickCommands?, after error: any Error) {
        guard commands != nil || former != nil else { return }
        let isUnknown = ToolError(error).leavesOutcomeUnknown
        // After a failure here, a later clean-up removes the commands.
        try? CommandFile(environment).change { $0.replace(key, with: isUnknown ? nil : former) }
    }

    /// Removes commands of notifications that are gone, if more than 64 of the app's notifications
    /// have commands.
    func tidyCommands(at center: CenterClient) async {
        guard commands != nil else { return }
        // The notification is already added, so an error is ignored; a later call repeats this.
        try? await CommandFile(environment).prune(
            app.id, at: center, now: environment.now, keeping: 64)
    }
}
