/// Says that a notification came from a remote server; made by the system only.
open class UNPushNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {}
