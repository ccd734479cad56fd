internal import NotificationModel
internal import NotificationRuntime
internal import Reactor

/// The texts that were made of keys, by how they read.
///
/// Apple returns a string object that knows its key. A Swift `String` cannot, so content with a
/// text that reads exactly like one of the latest thousand of these is taken to be it.
/// Shared by the process, because `localizedUserNotificationString` belongs to no center.
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
            if state.texts.updateValue(text, forKey: readable) == nil {
                state.order.append(readable)
            }
            if state.order.count > capacity {
                state.texts[state.order.removeFirst()] = nil
            }
        }
    }

    func text(reading readable: String) -> LocalizedText? {
        readable.isEmpty ? nil : state.withLock { $0.texts[readable] }
    }

    /// Which texts of the content are looked up at delivery: those that it came with, and those
    /// that read like one of these.
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
    /// The text of this key in the app's `Localizable.strings`, its `%@` filled in order.
    ///
    /// As on Apple's platforms, the notification appears in the user's language at its delivery.
    /// The notification centre looks the key up again, in the app program's directory and in the
    /// resource bundles there. The returned text is readable, too: it is in today's language. Set
    /// it unchanged as title, subtitle or body; with additions it is a text like any other. A key
    /// that is not found is used as the text.
    public class func localizedUserNotificationString(
        forKey key: String, arguments: [Any]?
    ) -> String {
        let text = LocalizedText(key: key, arguments: (arguments ?? []).map { "\($0)" })
        let readable = AppTexts.text(text) ?? fromMainBundle(text)
        LocalizedTexts.shared.remember(text, reading: readable)
        return readable
    }

    private class func fromMainBundle(_ text: LocalizedText) -> String {
        let format = Bundle.main.localizedString(forKey: text.key, value: text.key, table: nil)
        return LocalizedFormat(format).filled(with: text.arguments)
    }
}
