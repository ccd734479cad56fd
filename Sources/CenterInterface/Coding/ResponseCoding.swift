package import DesktopBus
package import NotificationModel

/// Responses as `a{sv}`; `outcome` is the word that `tocsin send --wait --json` prints.
package enum ResponseCoding {
    /// A response as `a{sv}`.
    package static func encode(
        _ response: NotificationResponse
    ) throws(NotificationError) -> BusValue {
        var list = EntryList()
        list.add("id", .int64(response.id))
        encode(response.action, into: &list)
        list.text("activationToken", response.activationToken)
        list.add("notification", DeliveredNotification.record.busValue(of: response.notification))
        return list.value
    }

    static func encode(_ action: NotificationResponse.Action, into list: inout EntryList) {
        switch action {
        case .standard: list.text("outcome", "default")
        case .dismiss: list.text("outcome", "dismissed")
        case .custom(let identifier):
            list.text("outcome", "action")
            list.add("action", .string(identifier))
        case .reply(let identifier, let text):
            list.text("outcome", "reply")
            list.add("action", .string(identifier))
            list.add("reply", .string(text))
        }
    }

    /// The response of an `a{sv}`.
    package static func decode(
        _ value: BusValue
    ) throws(NotificationError) -> NotificationResponse {
        let values = try KeyedValues(value, of: "the response")
        guard let notification = try values.dictionary("notification") else {
            throw values.wrongType("notification", wanted: "a dictionary")
        }
        return NotificationResponse(
            id: try values.requiredInteger("id"),
            notification: try DeliveredNotification.record.value(of: notification),
            action: try action(values), activationToken: try values.string("activationToken"))
    }

    static func action(
        _ values: KeyedValues
    ) throws(NotificationError) -> NotificationResponse.Action {
        let outcome = try values.required("outcome")
        switch outcome {
        case "default": return .standard
        case "dismissed": return .dismiss
        case "action": return .custom(try values.required("action"))
        case "reply":
            return .reply(try values.required("action"), text: try values.text("reply"))
        default:
            throw values.wrongValue(
                "outcome", outcome, wanted: "default, dismissed, action or reply")
        }
    }
}
