internal import CenterInterface
internal import NotificationModel

/// A request that `send`, `schedule`, its short forms or `run` hands to the notification centre.
///
/// Its commands are stored before it is added, so that no click comes too early for them.
struct OutgoingRequest {
    var request: NotificationRequest
    /// The files of its attachments.
    var files: [OpenFile] = []
    let app: (id: ApplicationID, identity: ApplicationIdentity?)
    /// The commands of its clicks; nil if it has none.
    var commands: ClickCommands?
    /// Whether the identifier was made for it, so that it replaces no other request.
    let isNew: Bool
    let environment: ToolEnvironment

    var key: NotificationKey {
        NotificationKey(app: app.id, identifier: request.identifier)
    }

    /// Stores the commands, and drops the commands of a request that this one replaces.
    func keepCommands() throws(ToolError) {
        try CommandFile.keepCommands(commands, of: key, isNew: isNew, in: environment)
    }

    /// Introduces the sender to the centre: its name, and for commands also how a click starts the
    /// tool.
    func introduce(to center: CenterClient) async throws(NotificationError) {
        if commands != nil {
            try await center.introduce(
                ResponderIdentity.identity(of: app.id, named: app.identity?.name))
        } else if let identity = app.identity {
            try await center.introduce(identity)
        }
    }

    /// Removes the commands of a request that was not added.
    func withdrawCommands() {
        guard commands != nil else { return }
        // If this fails, a later clean-up removes the commands.
        try? CommandFile(environment).change { $0.replace(key, with: nil) }
    }

    /// Removes commands that no notification has any more, from time to time.
    func tidyCommands(at center: CenterClient) async {
        guard commands != nil else { return }
        // The notification exists: a later run repeats a clean-up that fails here.
        try? await CommandFile(environment).prune(
            app.id, at: center, now: environment.now, keeping: 64)
    }
}
