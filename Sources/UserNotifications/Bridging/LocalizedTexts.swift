internal import NotificationModel
internal import NotificationRuntime
internal import Reactor

/// The localization keys of the last thousand texts that this process made from keys.
///
/// Apple's string object stores its localization key; a Swift `String` cannot store a key. A title,
/// subtitle or body that equals one of these texts gets the key of that text. The process shares
/// one object, because `localizedUserNotificationString` belongs to no center.
final class LocalizedTexts: Sendable {
    static let shared = LocalizedTexts()

    private struct State {
        var texts: [String: LocalizedText] = [:]
        var order: [String] = []
    }

    private let capacity: Int
    private let state = Locked(State())

    init(capacity: Int = 1_000) {
        self.capacity = capacity
    }

    func remember(_ text: LocalizedText, reading readable: String) {
        state.withLock { state in
            // A text that is made again becomes the newest text.
            if state.texts.updateValue(text, forKey: readable) != nil {
                state.order.removeAll { $0 == readable }
            }
            state.order.append(readable)
            if state.order.count > capacity {
                state.texts[state.order.removeFirst()] = nil
            }
        }
    }

    func text(reading readable: String) -> LocalizedText? {
        readable.isEmpty ? nil : state.withLock { $0.texts[readable] }
    }

    /// The keys to look up at delivery.
    ///
    /// A text without a key gets the key of an equal text that this object remembers.
    func localization(of content: NotificationContent) -> ContentLocalization? {
        let known = content.localization
        let all = ContentLocalization(
            title: known?.title ?? text(reading: content.title),
            subtitle: known?.subtitle ?? text(reading: content.subtitle),
            body: known?.body ?? text(reading: content.body))
        return all.isEmpty ? nil : all
    }
}

extension NSString {
    /// The text for a key in the app's `Localizable.strings`, with its `%@` filled in order.
    ///
    /// The returned text is in the current language. If the key is not found, the text is the key
    /// itself. Set the text unchanged as title, subtitle or body, because a changed text has no
    /// key.
    ///
    /// At delivery, the notification centre looks the key up again, in the program's directory and
    /// its resource bundles. So the user sees the text in the language that is set at that moment,
    /// as on Apple's platforms.
    public class func localizedUserNotificationString(
        forKey key: String, arguments: [Any]?
    ) -> String {
        let text = LocalizedText(key: key, arguments: (arguments ?? []).map { argumentText($0) })
        let readable = AppTexts.text(text) ?? fromMainBundle(text)
        LocalizedTexts.shared.remember(text, reading: readable)
        return readable
    }

    /// The text of an argument, as `%@` prints the argument on Apple's platforms.
    ///
    /// An optional becomes its value. A Boolean or a number becomes an `NSNumber`: the text of true
    /// is 1, and the text of 2.0 is 2.
    private class func argumentText(_ argument: Any) -> String {
        let mirror = Mirror(reflecting: argument)
        if mirror.displayStyle == .optional {
            return mirror.children.first.map { argumentText($0.value) } ?? "<null>"
        }
        // Compare the types here and below: an `NSNumber` can also be cast to `Bool` or `CGFloat`.
        if type(of: argument) == Bool.self, let flag = argument as? Bool { return flag ? "1" : "0" }
        if type(of: argument) == CGFloat.self, let number = argument as? CGFloat {
            return argumentText(Double(number))
        }
        // On Linux, the description of an `NSNumber` can be 2.0, where Apple's platforms print 2.
        if let number = argument as? NSNumber, !(number is NSDecimalNumber) {
            switch String(cString: number.objCType) {
            case "f": return String(format: "%.7g", number.doubleValue)
            case "d": return String(format: "%.16g", number.doubleValue)
            default: break
            }
        }
        return "\(argument)"
    }

    private class func fromMainBundle(_ text: LocalizedText) -> String {
        let format = Bundle.main.localizedString(forKey: text.key, value: text.key, table: nil)
        return LocalizedFormat(format).filled(with: text.arguments)
    }
}
