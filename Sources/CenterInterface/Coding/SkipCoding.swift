internal import DesktopBus
internal import NotificationModel

/// The dates of a skip as `a{sv}`.
enum SkipCoding {
    /// Encodes both dates.
    static func encode(_ dates: SkippedOccurrence) -> BusValue {
        var list = EntryList()
        list.instant("skipped", dates.skipped)
        list.instant("next", dates.next)
        return list.value
    }

    /// Decodes both dates, which have to be there.
    static func decode(_ value: BusValue) throws(NotificationError) -> SkippedOccurrence {
        let values = try KeyedValues(value, of: "the skipped dates")
        return SkippedOccurrence(
            skipped: try values.requiredInstant("skipped"),
            next: try values.requiredInstant("next"))
    }
}
