// A process on a Linux desktop is not told whether one of its windows is in front.
extension UNUserNotificationCenter {
    /// Whether the app is in front of the person, if the app says so; nil until it does.
    ///
    /// While this is nil the delegate is asked before each popup, and what it does not decide is
    /// shown. An app that says true gets Apple's rule for the foreground: what its delegate does
    /// not decide, or for want of a delegate nobody decides, is not shown. While it says false its
    /// notifications are shown without a question.
    public var isApplicationActive: Bool? {
        get { activity }
        set { activity = newValue }
    }
}
