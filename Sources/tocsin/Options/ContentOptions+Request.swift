internal import NotificationModel

extension ContentOptions {
    /// The request, without its trigger, and the files of its attachments.
    ///
    /// `waits` where somebody waits for its answer, of which a click is one if there is no other:
    /// dunst, for one, takes a click on the popup for its default action before it offers the others.
    func request(
        actions: [NotificationAction], waits: Bool = false, in environment: ToolEnvironment
    ) throws(ToolError) -> (NotificationRequest, [OpenFile]) {
        let (summary, body) = try StandardInput.texts(summary, body)
        var content = RequestMark.content(summary, body, at: environment.now)
        content.subtitle = ArgumentText.cleaned(subtitle)
        content.interruptionLevel = look.level.level
        content.threadIdentifier = ArgumentText.cleaned(thread)
        content.actions = actions
        content.reportsDismissal = waits || !actions.isEmpty
        var desktop = try desktop(hints: hints)
        // Of another app only that one knows.
        let isOurs = app.appID == nil || app.appID == ApplicationID.tocsin.rawValue
        let waitsForClick = waits && actions.isEmpty
        if isOurs, !waitsForClick, !commands.hasClick { desktop.offersClick = false }
        content.desktop = desktop
        content.sound = sound.map { SoundText.sound($0, in: environment) }
        var files: [OpenFile] = []
        for (index, path) in attachments.enumerated() {
            let (attachment, file) = try attachment(path, index, in: environment)
            content.attachments.append(attachment)
            files.append(file)
        }
        let identifier = givenIdentifier.map(ArgumentText.cleaned) ?? RequestMark.newIdentifier()
        return (NotificationRequest(identifier: identifier, content: content), files)
    }

    /// Keeps the commands of the notification that is about to be added.
    func keep(
        _ commands: ClickCommands?, of key: NotificationKey, in environment: ToolEnvironment
    ) throws(ToolError) {
        self.commands.warnOfMissingOpener(in: environment)
        try CommandFile.keep(
            commands, of: key, isNew: givenIdentifier == nil, in: environment)
    }

    /// Takes the commands back of a notification that was not added.
    func withdraw(_ commands: ClickCommands?, in environment: ToolEnvironment) {
        guard let commands else { return }
        // What fails is taken out with those of other notifications that are gone.
        try? CommandFile(environment).change { $0.replace(commands.key, with: nil) }
    }

    /// Takes the commands out that have no notification any more, now and then.
    func tidy(
        after commands: ClickCommands?, at center: Center, in environment: ToolEnvironment
    ) async {
        guard let commands else { return }
        // The notification is there: what fails here is done by a later run.
        try? await CommandFile(environment).prune(
            commands.key.app, at: center, now: environment.now, keeping: 64)
    }

    private func desktop(hints: [String]) throws(ToolError) -> DesktopOptions {
        var options = look.desktop
        options.category = self.category.map(ArgumentText.cleaned)
        options.isTransient = transient
        for text in hints {
            let (name, value) = try HintText.parse(text)
            options.hints[name] = value
        }
        return options
    }

    private func attachment(
        _ path: String, _ index: Int, in environment: ToolEnvironment
    ) throws(ToolError) -> (NotificationAttachment, OpenFile) {
        let absolute = environment.absolute(path)
        do throws(NotificationError) {
            let file = try OpenFile(path: absolute)
            guard let type = AttachmentType.ofFile(absolute) else {
                throw NotificationError(
                    .attachmentUnrecognized,
                    "The type of the attachment \(path.quotedForMessage()) cannot be told from "
                        + "its name. Attach a file whose name ends in .png, .jpg, .gif, .wav, "
                        + ".mp3, .mp4 or another type of Apple's list.")
            }
            guard file.size <= type.maximumSize else {
                throw NotificationError(
                    .attachmentTooLarge,
                    "The attachment \(path.quotedForMessage()) has \(file.size) bytes; its type "
                        + "may have \(type.maximumSize). Attach a smaller one.")
            }
            let attachment = NotificationAttachment(
                identifier: String(index), path: absolute, type: type.identifier)
            return (attachment, file)
        } catch {
            throw ToolError(error)
        }
    }
}
