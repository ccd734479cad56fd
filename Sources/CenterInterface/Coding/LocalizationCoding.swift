internal import DesktopBus
internal import NotificationModel

/// Which texts are looked up at delivery, as `a{sv}` of a key and arguments each.
enum LocalizationCoding {
    static func encode(_ localization: ContentLocalization) -> BusValue? {
        var list = EntryList()
        list.add("title", localization.title.map(encode))
        list.add("subtitle", localization.subtitle.map(encode))
        list.add("body", localization.body.map(encode))
        return list.entries.isEmpty ? nil : list.value
    }

    static func decode(_ values: KeyedValues) throws(NotificationError) -> ContentLocalization? {
        let localization = ContentLocalization(
            title: try text(values, "title"), subtitle: try text(values, "subtitle"),
            body: try text(values, "body"))
        return localization.isEmpty ? nil : localization
    }

    private static func encode(_ text: LocalizedText) -> BusValue {
        var list = EntryList()
        list.add("key", .string(text.key))
        list.strings("arguments", text.arguments)
        return list.value
    }

    private static func text(
        _ values: KeyedValues, _ key: String
    ) throws(NotificationError) -> LocalizedText? {
        guard let text = try values.dictionary(key) else { return nil }
        return LocalizedText(
            key: try text.required("key"), arguments: try text.strings("arguments"))
    }
}
