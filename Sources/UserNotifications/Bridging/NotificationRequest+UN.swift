package import NotificationModel

extension UNNotificationRequest {
    func request() throws(NotificationError) -> NotificationRequest {
        var modelTrigger: NotificationTrigger?
        if let trigger { modelTrigger = try trigger.trigger() }
        var request = NotificationRequest(
            identifier: identifier, content: try content.values.content(), trigger: modelTrigger)
        lateness.apply(to: &request)
        return request
    }

    convenience init(_ request: NotificationRequest) {
        self.init(
            identifier: request.identifier,
            content: UNNotificationContent(values: ContentValues(request.content)),
            trigger: request.trigger.map(UNNotificationTrigger.made(of:)))
        lateness = LateRule(request)
    }
}

extension UNNotification {
    package convenience init(_ delivered: DeliveredNotification) {
        self.init(
            date: Date(delivered.date), request: UNNotificationRequest(delivered.request))
    }
}

extension UNNotificationResponse {
    package static func made(of response: NotificationResponse) -> UNNotificationResponse {
        let notification = UNNotification(response.notification)
        let token = response.activationToken
        func plain(_ identifier: String) -> UNNotificationResponse {
            UNNotificationResponse(
                notification: notification, actionIdentifier: identifier, activationToken: token)
        }
        switch response.action {
        case .standard: return plain(UNNotificationDefaultActionIdentifier)
        case .dismiss: return plain(UNNotificationDismissActionIdentifier)
        case .custom(let identifier): return plain(identifier)
        case .reply(let identifier, let text):
            return UNTextInputNotificationResponse(
                notification: notification, actionIdentifier: identifier, activationToken: token,
                text: text ?? "")
        }
    }
}

extension UNNotificationAction {
    static func made(of action: NotificationAction) -> UNNotificationAction {
        let made =
            action.textInput == nil
            ? UNNotificationAction(identifier: action.identifier, title: action.title)
            : UNTextInputNotificationAction(identifier: action.identifier, title: action.title)
        made.value = action
        return made
    }
}

extension PresentationOptions {
    /// Converts the options; Apple's old name `alert` means list and banner.
    init(_ options: UNNotificationPresentationOptions) {
        self.init(rawValue: options.rawValue)
        if remove(.alert) != nil { formUnion([.list, .banner]) }
    }
}

extension UNNotificationPresentationOptions {
    /// The presentation if the app has no delegate that decides: everything is shown.
    static let all: UNNotificationPresentationOptions = [.badge, .sound, .list, .banner]
}

/// A request's rule for missed dates.
struct LateRule: Hashable {
    var catchUp = UNNotificationRequest.CatchUp.once
    /// The largest accepted lateness, in seconds.
    ///
    /// Nil means one minute if `catchUp` is `.skip`, and no limit if it is `.once`.
    var grace: TimeInterval?
}

extension LateRule {
    init(_ request: NotificationRequest) {
        catchUp = request.catchUp == .skip ? .skip : .once
        grace = request.grace
    }

    init(coder: NSCoder) {
        catchUp = coder.string("catchUp").flatMap(UNNotificationRequest.CatchUp.init) ?? .once
        grace = coder.number("grace")?.doubleValue
    }

    func apply(to request: inout NotificationRequest) {
        request.catchUp = catchUp == .skip ? .skip : .once
        request.grace = grace
    }

    func encode(with coder: NSCoder) {
        coder.encode(catchUp.rawValue as NSString, forKey: "catchUp")
        coder.encode(grace.map { NSNumber(value: $0) }, forKey: "grace")
    }

    /// The fields for a description; empty if the rule is the default rule.
    var fields: [(String, Any?)] {
        self == LateRule() ? [] : [("catchUp", catchUp.rawValue), ("grace", grace)]
    }
}
