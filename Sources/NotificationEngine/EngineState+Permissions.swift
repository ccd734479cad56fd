import NotificationModel
internal import NotificationStore

/// Whether an app may notify: what is known, and the question where nothing is.
extension EngineState {
    /// Why an app may not notify, or nil where it may.
    func refusal(of app: ApplicationID) -> NotificationError? {
        // The tool reaches the daemon's store only.
        let remedy =
            isEmbedded
            ? "by starting the app with TOCSIN_PERMISSION=allow"
            : "with 'tocsin settings \(app) --allow'"
        if let desktop = desktopRefusal(of: app) { return desktop }
        switch permission(of: app)?.status {
        case .denied:
            return NotificationError(
                .notAllowed,
                "\(app) may not notify: the person does not allow it. Only the person can change "
                    + "that, \(remedy).")
        case .notDetermined:
            return NotificationError(
                .notAllowed,
                "\(app) may not notify: the person was not asked yet. Call requestAuthorization "
                    + "first, or allow it \(remedy).")
        case .authorized, .provisional, nil: return nil
        }
    }

    /// Why an app was not allowed to notify, or nil where it may; for the record of what was not
    /// shown.
    ///
    /// It is read later, when the app may be allowed again.
    func denial(of app: ApplicationID) -> String? {
        let reason: String
        if let value = switches[app], !value.isOn {
            reason = "its notifications were turned off in the settings of \(value.desktop)"
        } else {
            switch permission(of: app)?.status {
            case .denied: reason = "the person did not allow it"
            case .notDetermined: reason = "the person had not been asked yet"
            case .authorized, .provisional, nil: return nil
            }
        }
        return "\(app) was not allowed to notify when this was due: \(reason). 'tocsin settings' "
            + "tells whether it is now."
    }

    /// How an app's notifications may be shown.
    func permitted(for app: ApplicationID) -> PresentationOptions {
        guard let permission = permission(of: app) else { return desktopOptions(of: app) }
        var options: PresentationOptions = .list
        if permission.options.contains(.badge) { options.insert(.badge) }
        guard permission.status != .provisional else {
            return options.intersection(desktopOptions(of: app))
        }
        if permission.options.contains(.sound) { options.insert(.sound) }
        if permission.options.contains(.alert) { options.formUnion([.banner, .alert]) }
        return options.intersection(desktopOptions(of: app))
    }

    // MARK: Requests

    /// Answers a call from what is known, or asks the person.
    mutating func permissionRequested(
        _ options: Permission.Options, for app: ApplicationID, by number: UInt64, now: ClockReading
    ) -> [EngineEffect] {
        let waiter = PermissionQuestion.Waiter(number: number, options: options)
        guard questions[app] == nil else {
            questions[app]?.waiters.append(waiter)
            return []
        }
        let known = permission(of: app)
        let isQuiet = options.contains(.provisional)
        switch known?.status {
        case .denied: return [.answerPermission([number], .success(false))]
        case .authorized: return grant(.authorized, to: app, waiter, now: now)
        case .provisional where isQuiet, .notDetermined where isQuiet, nil where isQuiet:
            return grant(.provisional, to: app, waiter, now: now)
        case .provisional, .notDetermined, nil:
            let question = open(.inspecting, of: app, waiter, now: now)
            return [.inspectPresenter(app, token: question.token)]
        }
    }

    /// Grants without a question, and without a change of the store where there is nothing new.
    private mutating func grant(
        _ status: Permission.Status, to app: ApplicationID, _ waiter: PermissionQuestion.Waiter,
        now: ClockReading
    ) -> [EngineEffect] {
        let known = permissions[app]
        let options = waiter.options.subtracting(.provisional).union(known?.options ?? [])
        let permission = Permission(status, options: options)
        guard permission != known else {
            return [.answerPermission([waiter.number], .success(true))]
        }
        _ = open(.saving, of: app, waiter, now: now)
        return [.savePermission(app, permission)]
    }

    private mutating func open(
        _ stage: PermissionQuestion.Stage, of app: ApplicationID,
        _ waiter: PermissionQuestion.Waiter, now: ClockReading
    ) -> PermissionQuestion {
        let question = PermissionQuestion(
            token: nextNumber(), stage: stage, deadline: now.boot + PermissionPrompt.timeout,
            waiters: [waiter])
        questions[app] = question
        return question
    }

    // MARK: The question

    /// The server has said what it can do: a popup where it draws buttons, otherwise a dialog.
    mutating func presenterInspected(
        _ presenter: PresenterStatus, for app: ApplicationID, token: UInt64, now: ClockReading
    ) -> [EngineEffect] {
        guard let question = questions[app], question.token == token,
            question.stage == .inspecting
        else { return [] }
        guard presenter.isAvailable else { return failQuestion(of: app, with: Self.noServer) }
        let application = identity(of: app)
        guard presenter.capabilities.contains("actions") else {
            questions[app]?.stage = .dialog
            return [
                .showDialog(token: token, PermissionPrompt.dialog(application)),
                .arm(alarms(now: now)),
            ]
        }
        questions[app]?.stage = .popup
        return [
            .present([PermissionPrompt.popup(application, token: token, at: now.wall)]),
            .arm(alarms(now: now)),
        ]
    }

    private static let noServer = NotificationError(
        .noServer,
        "Permission to notify was requested, but there is no notification server on the session "
            + "bus that asks the person. Start the desktop's, or install one such as dunst or xfce4-notifyd."
    )

    /// What became of the popup of a question; nil for the token of something else.
    mutating func questionOutcome(
        of token: UInt64, _ outcome: PresentationOutcome
    ) -> [EngineEffect]? {
        guard let app = questions.first(where: { $0.value.token == token })?.key else { return nil }
        guard questions[app]?.stage == .popup else { return [] }
        switch outcome {
        case .presented, .unanswered, .listed, .withoutPopup: return []
        case .unavailable, .interrupted: return failQuestion(of: app, with: Self.noServer)
        case .refused(let reason):
            return failQuestion(
                of: app,
                with: NotificationError(
                    .serverRefused,
                    "Permission to notify was requested, but the notification server refused to "
                        + "ask: \(reason)"))
        }
    }

    /// A person did something with the popup of a question.
    mutating func questionReported(_ app: ApplicationID, _ event: PopupEvent) -> [EngineEffect] {
        guard questions[app]?.stage == .popup else { return [] }
        switch event {
        case .response(.custom(PermissionPrompt.allow), _): return decided(.authorized, on: app)
        case .response(.custom(PermissionPrompt.deny), _): return decided(.denied, on: app)
        case .response, .expired: return unanswered(app)
        }
    }

    /// The dialog of a question has ended.
    mutating func questionDialogEnded(
        _ token: UInt64, _ result: Result<DialogAnswer, NotificationError>
    ) -> [EngineEffect] {
        guard let app = questions.first(where: { $0.value.token == token })?.key,
            questions[app]?.stage == .dialog
        else { return [] }
        switch result {
        case .success(.accepted): return decided(.authorized, on: app)
        case .success(.refused): return decided(.denied, on: app)
        case .success(.closed): return unanswered(app)
        case .failure(let error): return failQuestion(of: app, with: error)
        }
    }

    /// Gives up the questions that nobody answered in time.
    mutating func questionsTimedOut(now: ClockReading) -> [EngineEffect] {
        let late = questions.filter { ($0.value.alarm ?? .max) <= now.boot }
        return late.sorted { $0.value.token < $1.value.token }.flatMap { unanswered($0.key) }
    }

    /// Gives up the questions whose popup has gone with its server.
    mutating func questionsLostServer() -> [EngineEffect] {
        questions.filter { $0.value.stage == .popup }.keys
            .flatMap { failQuestion(of: $0, with: Self.noServer) }
    }

    /// Gives up every question that is not answered yet.
    mutating func questionsWithdrawn() -> [EngineEffect] {
        questions.filter { $0.value.stage != .saving }.keys.flatMap { unanswered($0) }
    }

    /// A caller does not wait for its answer any more; a question that nobody waits for goes.
    mutating func permissionRequestEnded(
        _ number: UInt64, for app: ApplicationID
    ) -> [EngineEffect] {
        guard let question = questions[app], question.stage != .saving else { return [] }
        questions[app]?.waiters.removeAll { $0.number == number }
        return questions[app]?.waiters.isEmpty == true ? unanswered(app) : []
    }

    private mutating func decided(
        _ status: Permission.Status, on app: ApplicationID
    ) -> [EngineEffect] {
        let asked = questions[app]?.options ?? []
        questions[app]?.stage = .saving
        let options = asked.union(permissions[app]?.options ?? [])
        return [.savePermission(app, Permission(status, options: options))]
    }

    /// Nobody has decided: what was known stays, and the next request asks again.
    private mutating func unanswered(_ app: ApplicationID) -> [EngineEffect] {
        let isAllowed = permissions[app]?.allows ?? false
        return end(app, with: .success(isAllowed))
    }

    private mutating func failQuestion(
        of app: ApplicationID, with error: NotificationError
    ) -> [EngineEffect] {
        end(app, with: .failure(error))
    }

    mutating func end(
        _ app: ApplicationID, with result: Result<Bool, NotificationError>
    ) -> [EngineEffect] {
        guard let question = questions.removeValue(forKey: app) else { return [] }
        return takeAway(question, of: app)
            + [.answerPermission(question.waiters.map(\.number), result)]
    }

    private func takeAway(
        _ question: PermissionQuestion, of app: ApplicationID
    ) -> [EngineEffect] {
        switch question.stage {
        case .popup: [.withdraw(PermissionPrompt.key(of: app))]
        case .dialog: [.closeDialog(token: question.token)]
        case .inspecting, .saving: []
        }
    }

    // MARK: Decisions

    /// The permission that a connecting app is to have, where it has to be stored.
    func permissionToKeep(for application: ApplicationIdentity) -> Permission? {
        application.needsPermission && permissions[application.id] == nil ? Permission() : nil
    }

    /// What a person's decision makes of the permission; nil for none.
    func permission(
        of app: ApplicationID, after decision: PermissionDecision
    ) -> Permission? {
        let options = permissions[app]?.options ?? []
        switch decision {
        case .allow: return Permission(.authorized, options: options.union(.all))
        case .deny: return Permission(.denied, options: options)
        case .reset: return applications[app]?.needsPermission == true ? Permission() : nil
        }
    }

    /// A permission is on disk: who waits is answered from it.
    mutating func permissionSaved(
        _ permission: Permission?, of app: ApplicationID, now: ClockReading
    ) -> [EngineEffect] {
        permissions[app] = permission
        let turn = switchTurn(after: permission, of: app)
        // What a person resets while the question is open is still being asked.
        guard permission.map({ $0.status != .notDetermined }) ?? false,
            let question = questions.removeValue(forKey: app)
        else { return turn }
        return turn + takeAway(question, of: app)
            + question.waiters.flatMap {
                permissionRequested($0.options, for: app, by: $0.number, now: now)
            }
    }

    mutating func permissionNotSaved(
        of app: ApplicationID, _ error: NotificationError
    ) -> [EngineEffect] {
        end(app, with: .failure(error))
    }
}
