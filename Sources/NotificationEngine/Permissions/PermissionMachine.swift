import NotificationModel

/// Decides whether one app may notify, or whether it may know the location.
///
/// It owns the user's answer, the desktop's switch of the app, and the open question.
///
/// The rules, from the strongest to the weakest:
/// - The switch is off: the app may not notify, even if the user allowed it.
/// - A denial had turned the switch off, and the switch is on again: the app may notify.
/// - The switch is on, or the desktop has no switch: the user's answer counts. Without an answer,
///   a request of the app asks the user.
///
/// The machine copies each answer to the switch. It also keeps the answer, because the user's other
/// desktops may have no switch, or a switch with another value. No desktop has a switch for the
/// location.
///
/// An app has at most one open question about a subject, and each call is answered once. The
/// machine only returns effects; it shows and stores nothing.
struct PermissionMachine: Hashable {
    let app: ApplicationID
    let subject: PermissionSubject
    /// The user's answer; nil if the app needs no permission and the user did not decide about it.
    private(set) var record: Permission?
    /// The desktop's settings for the app; nil if the desktop has no switch for the app.
    private(set) var desktop: AppSwitch?
    /// The desktops on which the switch was off while the app was denied.
    ///
    /// Either this machine or the user turned the switch off.
    private(set) var toldDesktops: Set<String> = []
    private(set) var question: PermissionQuestion?

    init(_ app: ApplicationID, about subject: PermissionSubject = .notifications) {
        self.app = app
        self.subject = subject
    }

    mutating func load(_ record: Permission?, toldDesktops: [String]) {
        self.record = record
        self.toldDesktops = Set(toldDesktops)
    }

    /// Takes a permission that was stored without asking the user.
    mutating func recordStored(_ record: Permission) {
        self.record = record
    }

    // MARK: Permission

    /// The permission by the rules above; nil if the app needs no permission.
    var current: Permission? {
        guard let desktop else { return record }
        guard desktop.isOn else { return Permission(.denied, options: record?.options ?? []) }
        // The user has turned the app on again on a desktop where the denial had turned it off.
        let isAllowedAgain = isDenied && toldDesktops.contains(desktop.desktop)
        return isAllowedAgain ? allowed : record
    }

    private var isDenied: Bool { record?.status == .denied }

    private var allowed: Permission {
        Permission(.authorized, options: (record?.options ?? []).union(.all))
    }

    /// The permission to record after a decision; nil removes the record.
    func permission(after decision: PermissionDecision, isNeeded: Bool) -> Permission? {
        switch decision {
        case .allow, .allowLocation: allowed
        case .deny, .denyLocation: Permission(.denied, options: record?.options ?? [])
        case .reset: isNeeded ? Permission() : nil
        }
    }

    /// The error for an app that may not notify; nil if it may.
    ///
    /// The message names `tocsin` as a remedy only in the daemon, because `tocsin` reaches only the
    /// daemon's store. The command stands at the end without quotes, because it may contain quotes.
    func refusal(isEmbedded: Bool) -> NotificationError? {
        // Every post calls this method, so make the texts only for an app that is refused.
        func byCommand() -> String { "with the command: \(app.allowingCommand)" }
        if let desktop, !desktop.isOn {
            let remedy = isEmbedded ? "there." : "there or \(byCommand())"
            return NotificationError(
                .notAllowed,
                "\(app) may not notify: its notifications are turned off in the settings of "
                    + "\(desktop.desktop). Only the user can change that, \(remedy)")
        }
        func remedy() -> String {
            isEmbedded ? "by starting the app with TOCSIN_PERMISSION=allow." : byCommand()
        }
        switch current?.status {
        case .denied:
            return NotificationError(
                .notAllowed,
                "\(app) may not notify: the user does not allow it. Only the user can change "
                    + "that, \(remedy())")
        case .notDetermined:
            return NotificationError(
                .notAllowed,
                "\(app) may not notify: the user was not asked yet. Call requestAuthorization "
                    + "first, or allow it \(remedy())")
        case .authorized, .provisional, nil: return nil
        }
    }

    /// The reason that the store records for a denied notification; nil if the app may notify.
    ///
    /// The text is in the past tense, because the app may be allowed again when the user reads it.
    /// The text names `tocsin` only in the daemon, as `refusal(isEmbedded:)` does.
    func denial(isEmbedded: Bool) -> String? {
        let reason: String
        if let desktop, !desktop.isOn {
            reason = "its notifications were turned off in the settings of \(desktop.desktop)"
        } else {
            switch current?.status {
            case .denied: reason = "the user did not allow it"
            case .notDetermined: reason = "the user had not been asked yet"
            case .authorized, .provisional, nil: return nil
            }
        }
        let remedy = isEmbedded ? "" : " 'tocsin settings' shows whether it may notify now."
        return "\(app) was not allowed to notify when this was due: \(reason).\(remedy)"
    }

    /// The forms of presentation that the app may use.
    ///
    /// The desktop's setting for banners has no effect here, because the server applies it itself.
    var options: PresentationOptions {
        var options: PresentationOptions = .all
        if let permission = current {
            options = .list
            if permission.options.contains(.badge) { options.insert(.badge) }
            if permission.status != .provisional {
                if permission.options.contains(.sound) { options.insert(.sound) }
                if permission.options.contains(.alert) { options.formUnion([.banner, .alert]) }
            }
        }
        if desktop?.playsSounds == false { options.remove(.sound) }
        if desktop?.showsBadges == false { options.remove(.badge) }
        return options
    }

    // MARK: Requests

    /// Answers the call if the permission already decides it; otherwise starts a question.
    mutating func request(
        _ options: Permission.Options, by number: UInt64, token: UInt64, now: ClockReading
    ) -> [EngineEffect] {
        let waiter = PermissionQuestion.Waiter(number: number, options: options)
        guard question == nil else {
            question?.waiters.append(waiter)
            return []
        }
        let isQuiet = options.contains(.provisional)
        switch current?.status {
        case .denied: return [.answerPermission([number], .success(false))]
        case .authorized: return grant(.authorized, to: waiter, token: token, now: now)
        case .provisional where isQuiet, .notDetermined where isQuiet, nil where isQuiet:
            return grant(.provisional, to: waiter, token: token, now: now)
        case .provisional, .notDetermined, nil:
            open(.inspecting, token: token, waiter, now: now)
            return [.inspectPresenter(app, token: token)]
        }
    }

    /// Grants permission without a question; stores only a permission that differs from the record.
    private mutating func grant(
        _ status: Permission.Status, to waiter: PermissionQuestion.Waiter, token: UInt64,
        now: ClockReading
    ) -> [EngineEffect] {
        let options = waiter.options.subtracting(.provisional).union(record?.options ?? [])
        let permission = Permission(status, options: options)
        guard permission != record else {
            return [.answerPermission([waiter.number], .success(true))]
        }
        open(.saving, token: token, waiter, now: now)
        return [save(permission)]
    }

    private func save(_ permission: Permission) -> EngineEffect {
        .savePermission(app, permission, about: subject)
    }

    private mutating func open(
        _ stage: PermissionQuestion.Stage, token: UInt64, _ waiter: PermissionQuestion.Waiter,
        now: ClockReading
    ) {
        question = PermissionQuestion(
            token: token, stage: stage, deadline: now.monotonic + PermissionPrompt.timeout,
            waiters: [waiter])
    }

    /// Removes a caller that has left, and ends the question if it has no other callers.
    mutating func endRequest(_ number: UInt64) -> [EngineEffect] {
        guard question?.alarm != nil else { return [] }
        question?.waiters.removeAll { $0.number == number }
        return question?.waiters.isEmpty == true ? leaveOpen() : []
    }

    // MARK: The question

    /// Asks the user, by a popup if the server draws buttons, otherwise by a dialog.
    mutating func serverInspected(
        _ presenter: PresenterStatus, _ application: ApplicationIdentity, token: UInt64,
        now: ClockReading, in words: PermissionWording
    ) -> [EngineEffect] {
        guard question?.token == token, question?.stage == .inspecting else { return [] }
        guard presenter.isAvailable else { return endQuestion(.failure(noServer)) }
        guard presenter.capabilities.contains("actions") else {
            question?.stage = .dialog
            return [
                .showDialog(
                    token: token,
                    PermissionPrompt.dialog(application, about: subject, in: words))
            ]
        }
        question?.stage = .popup
        return [
            .present([
                PermissionPrompt.popup(
                    application, about: subject, token: token, at: now.wall, in: words)
            ])
        ]
    }

    private var noServer: NotificationError {
        NotificationError(
            .noServer,
            "\(subject.purpose) was requested, but no notification server on the session bus can "
                + "ask the user. Start the desktop's server, or install one such as dunst or "
                + "xfce4-notifyd.")
    }

    mutating func popupEnded(_ outcome: PresentationOutcome) -> [EngineEffect] {
        guard question?.stage == .popup else { return [] }
        switch outcome {
        case .presented, .unanswered, .deliveredSilently, .withoutPopup: return []
        case .unavailable, .interrupted, .later: return endQuestion(.failure(noServer))
        case .refused(let reason):
            return endQuestion(
                .failure(
                    NotificationError(
                        .serverRefused,
                        "\(subject.purpose) was requested, but the notification server refused "
                            + "to ask: \(reason)")))
        }
    }

    mutating func popupReported(_ event: PopupEvent) -> [EngineEffect] {
        guard question?.stage == .popup else { return [] }
        switch event {
        case .response(.custom(PermissionPrompt.allow), _): return decide(.authorized)
        case .response(.custom(PermissionPrompt.deny), _): return decide(.denied)
        case .response, .expired: return leaveOpen()
        }
    }

    mutating func dialogEnded(
        _ result: Result<DialogAnswer, NotificationError>
    ) -> [EngineEffect] {
        guard question?.stage == .dialog else { return [] }
        switch result {
        case .success(.accepted): return decide(.authorized)
        case .success(.refused): return decide(.denied)
        case .success(.closed): return leaveOpen()
        case .failure(let error): return endQuestion(.failure(error))
        }
    }

    mutating func timeOut(now: ClockReading) -> [EngineEffect] {
        (question?.alarm ?? .max) <= now.monotonic ? leaveOpen() : []
    }

    /// Gives the question up if its popup was lost with the server.
    mutating func loseServer() -> [EngineEffect] {
        question?.stage == .popup ? endQuestion(.failure(noServer)) : []
    }

    mutating func withdraw() -> [EngineEffect] {
        question?.alarm == nil ? [] : leaveOpen()
    }

    private mutating func decide(_ status: Permission.Status) -> [EngineEffect] {
        let options = (question?.options ?? []).union(record?.options ?? [])
        question?.stage = .saving
        return [save(Permission(status, options: options))]
    }

    /// Ends the question without a decision: the former answer stays, and the next request asks
    /// again.
    private mutating func leaveOpen() -> [EngineEffect] {
        endQuestion(.success(record?.allows ?? false))
    }

    private mutating func endQuestion(_ result: Result<Bool, NotificationError>) -> [EngineEffect] {
        guard let ended = question else { return [] }
        question = nil
        return takeAway(ended) + [.answerPermission(ended.waiters.map(\.number), result)]
    }

    private func takeAway(_ question: PermissionQuestion) -> [EngineEffect] {
        switch question.stage {
        case .popup: [.withdraw(PermissionPrompt.key(of: app, about: subject))]
        case .dialog: [.closeDialog(token: question.token)]
        case .inspecting, .saving: []
        }
    }

    // MARK: The store

    /// Takes the permission that is now on disk, and answers the waiting calls with it.
    mutating func permissionSaved(
        _ permission: Permission?, token: UInt64, now: ClockReading
    ) -> [EngineEffect] {
        record = permission
        let switchEffects = updateSwitch()
        // A reset by the user does not end an open question.
        guard permission.map({ $0.status != .notDetermined }) ?? false, let ended = question else {
            return switchEffects
        }
        question = nil
        return switchEffects + takeAway(ended)
            + ended.waiters.flatMap {
                request($0.options, by: $0.number, token: token, now: now)
            }
    }

    mutating func notSaved(_ error: NotificationError) -> [EngineEffect] {
        endQuestion(.failure(error))
    }

    // MARK: The desktop's switch

    /// Takes the desktop's switch; `value` is nil if the desktop has no switch for the app.
    mutating func switchSeen(_ value: AppSwitch?) -> [EngineEffect] {
        desktop = value
        guard let value else { return [] }
        switch (isDenied, value.isOn, toldDesktops.contains(value.desktop)) {
        case (true, true, true): return [.savePermission(app, allowed)]
        case (true, true, false):
            // The user denied the app before this desktop had a switch for it.
            return [.setDesktopSwitch(app, isOn: false)]
        case (true, false, false): return noteDenial(on: value.desktop)
        case (_, false, _):
            // The user has answered the question by turning the app off.
            return question?.alarm == nil ? [] : endQuestion(.success(false))
        case (false, true, _): return []
        }
    }

    mutating func switchChanged(_ value: AppSwitch?) -> [EngineEffect] {
        desktop = value
        guard let value, !value.isOn, isDenied, !toldDesktops.contains(value.desktop) else {
            return []
        }
        return noteDenial(on: value.desktop)
    }

    private mutating func updateSwitch() -> [EngineEffect] {
        if !isDenied { toldDesktops = [] }
        guard let value = desktop, value.isOn == isDenied else {
            return isDenied ? switchSeen(desktop) : []
        }
        // Update `desktop` before the write completes; otherwise waiting callers see the old value.
        let isOn = !isDenied
        desktop?.isOn = isOn
        return [.setDesktopSwitch(app, isOn: isOn)]
    }

    private mutating func noteDenial(on desktop: String) -> [EngineEffect] {
        toldDesktops.insert(desktop)
        return [.noteDenial(app, desktop: desktop)]
    }
}
