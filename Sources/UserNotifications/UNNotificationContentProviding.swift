/// Something that can give a notification the look of a message or a call.
///
/// Only the system's types take part; the conformance of an app's type has no effect.
public protocol UNNotificationContentProviding: NSObjectProtocol {}
