/// Fires when the wall clock matches date components.
///
/// Without a time zone in the components it floats with the person's zone.
open class UNCalendarNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    /// The components that have to match; nil parts match anything.
    open var dateComponents: DateComponents { storedComponents }

    private let storedComponents: DateComponents

    /// Makes a trigger.
    public init(dateMatching dateComponents: DateComponents, repeats: Bool) {
        storedComponents = dateComponents
        super.init(repeats: repeats)
    }

    /// Makes a trigger; another spelling of ``init(dateMatching:repeats:)``.
    public convenience init(dateMatchingComponents dateComponents: DateComponents, repeats: Bool) {
        self.init(dateMatching: dateComponents, repeats: repeats)
    }

    /// The next date that matches, nil where none does.
    ///
    /// A time that a change to summer time removes moves to the end of the gap; a day that the month
    /// lacks moves to the first instant of the next month.
    open func nextTriggerDate() -> Date? { nextDate(after: Date()) }

    /// Whether the object is a trigger with equal values.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UNCalendarNotificationTrigger else { return false }
        return super.isEqual(object) && other.dateComponents == dateComponents
    }

    /// A hash of the values that equal triggers share.
    open override var hash: Int { super.hash ^ dateComponents.hashValue }

    /// The class, the address and the values.
    open override var description: String {
        describe([("dateComponents", dateComponents.described), ("repeats", repeats)])
    }

    /// Reads a trigger from an archive.
    public required init?(coder: NSCoder) {
        guard let components = coder.dateComponents("dateComponents") else { return nil }
        storedComponents = components
        super.init(coder: coder)
    }

    /// Writes the trigger into an archive.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(dateComponents: dateComponents, forKey: "dateComponents")
    }
}
