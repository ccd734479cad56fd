extension NSString {
    /// The text of this key in the app's `Localizable.strings`, its `%@` filled in order.
    ///
    /// On Linux it is looked up when it is made, not when the notification is delivered. A key that
    /// is not found is used as the text.
    public class func localizedUserNotificationString(
        forKey key: String, arguments: [Any]?
    ) -> String {
        let format = Bundle.main.localizedString(forKey: key, value: key, table: nil)
        return LocalizedFormat(format).filled(with: (arguments ?? []).map { "\($0)" })
    }
}
