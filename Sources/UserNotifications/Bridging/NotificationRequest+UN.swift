internal import NotificationModel

extension UNNotificationRequest {
    /// The request as the model keeps it.
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
    convenience init(_ delivered: DeliveredNotification) {
        self.init(
            date: Date(delivered.date), request: UNNotificationRequest(delivered.request))
    }
}

extension UNNotificationResponse {
    /// The class that fits a response of the model.
    static func made(of response: NotificationResponse) -> UNNotificationResponse {
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
                text: text)
        }
    }
}
