internal import NotificationModel
internal import NotificationRuntime

extension NSString {
    /// The text of this key in the app's `Localizable.strings`, its `%@` filled in order.
    ///
    /// As on Apple's platforms a notification with it is shown in the language that the person has
    /// when it is delivered: who delivers it looks the key up again, in the directory of the app's
    /// program and in the resource bundles there. What is returned is readable, too: the text in
    /// today's language. Set it as title, subtitle or body as it is; with something added to it, it
    /// is a text like any other. A key that is not found is used as the text.
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
