internal import NotificationModel
internal import NotificationSchedule

/// Explains why a notification is not shown, or what the server leaves out of it; pure.
struct Explanation {
    var status: ServiceStatus
    /// Whether the app may notify; nil if it needs no permission, or if there is no session.
    var permission: Permission?
    var times: RelativeTime

    /// Why a pending request is not shown; empty if the request only waits for its date.
    func obstacles(to pending: PendingNotification) -> [String] {
        var reasons: [String] = []
        if permission?.status == .denied {
            reasons.append(
                "notifications of \(pending.app) are denied; to allow them, run: "
                    + pending.app.allowingCommand)
        }
        if case .region = pending.request.trigger {
            if let obstacle = status.location.obstacle {
                reasons.append(
                    "its place is not watched: \(obstacle.reason). \(obstacle.remedy)")
            }
        } else if pending.nextFire == nil, pending.state == .pending {
            reasons.append("never: the date is past, or the rule has no date left")
        }
        guard status.hosting != InboxService.hosting else {
            return reasons + [
                "waits for login: tocsind imports it in the next desktop session, and shows it"
            ]
        }
        guard let date = pending.nextFire, date <= times.now, pending.state == .pending else {
            return reasons
        }
        let since = "due since \(times.absolute(date))"
        reasons.append(
            status.presenter.isAvailable
                ? "\(since): on its way to the notification server"
                : "\(since): waits for a notification server, as none is on the bus; it is shown "
                    + "when one appears")
        return reasons
    }

    /// Why the user may not have seen a delivered notification; empty if no reason is known.
    var silence: [String] {
        guard status.presenter.isInhibited == true else { return [] }
        return [
            "Do Not Disturb is on: the notification server may hold back notifications until it is "
                + "off; 'tocsin snooze' shows this one again"
        ]
    }

    /// How late a missed date of the request is still shown, as a text; nil for the default.
    func lateness(_ request: NotificationRequest) -> String? {
        let grace = request.grace.map { RelativeTime.length($0) }
        switch (request.catchUp, grace) {
        case (.once, nil): return nil
        case (.once, let grace?): return "shown if at most \(grace) late, otherwise skipped"
        case (.skip, let grace): return "skipped when more than \(grace ?? "60 s") late"
        }
    }

    /// Names each capability that the content needs but the server lacks, and its substitute.
    func missing(for content: NotificationContent, _ category: NotificationCategory?) -> [String] {
        let server = status.presenter
        guard server.isAvailable else {
            return [
                "no notification server is on the bus: the notification is kept until a server "
                    + "appears"
            ]
        }
        let actions = category?.actions ?? []
        let hasImages = !content.attachments.isEmpty
        let showsBodyImages = server.capabilities.contains("body-images")
        let needs = [
            (!actions.isEmpty, "actions", "buttons: only the popup itself can be clicked"),
            (
                actions.contains { $0.textInput != nil }, "inline-reply",
                "a field for text: a dialog of zenity or kdialog asks for it"
            ),
            (
                !(content.body.isEmpty && content.subtitle.isEmpty), "body",
                "a place for the text: it becomes part of the title"
            ),
            (content.sound != nil, "sound", "sound: tocsin-media plays it"),
            (hasImages && !showsBodyImages, "icon-static", "images: none is shown"),
            (true, "persistence", "a list of past notifications: 'tocsin list --delivered' has it"),
        ]
        return needs.filter { $0.0 && !server.capabilities.contains($0.1) }.map(\.2)
    }
}
