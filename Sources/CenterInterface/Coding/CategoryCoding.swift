package import DesktopBus
package import NotificationModel

/// Categories and their actions as `a{sv}`; option bits are Apple's, as `t`.
package enum CategoryCoding {
    /// A category as `a{sv}`.
    package static func encode(_ category: NotificationCategory) -> BusValue {
        var list = EntryList()
        list.add("id", .string(category.identifier))
        list.dictionaries("actions", category.actions.map(encode))
        list.strings("intents", category.intentIdentifiers)
        if !category.options.isEmpty {
            list.add("options", .uint64(UInt64(category.options.rawValue)))
        }
        list.text("hiddenPreviewsBodyPlaceholder", category.hiddenPreviewsBodyPlaceholder)
        list.text("summaryFormat", category.summaryFormat)
        return list.value
    }

    /// The category of an `a{sv}`.
    package static func decode(
        _ values: KeyedValues
    ) throws(NotificationError) -> NotificationCategory {
        var actions: [NotificationAction] = []
        for action in try values.dictionaries("actions") {
            actions.append(try decodeAction(action))
        }
        return NotificationCategory(
            identifier: try values.required("id"), actions: actions,
            intentIdentifiers: try values.strings("intents"),
            options: .init(rawValue: try bits(values)),
            hiddenPreviewsBodyPlaceholder: try values.text("hiddenPreviewsBodyPlaceholder"),
            summaryFormat: try values.text("summaryFormat"))
    }

    private static func encode(_ action: NotificationAction) -> BusValue {
        var list = EntryList()
        list.add("id", .string(action.identifier))
        list.text("title", action.title)
        if !action.options.isEmpty {
            list.add("options", .uint64(UInt64(action.options.rawValue)))
        }
        list.text("icon", action.icon)
        if let input = action.textInput {
            var field = EntryList()
            field.text("buttonTitle", input.buttonTitle)
            field.text("placeholder", input.placeholder)
            list.add("textInput", field.value)
        }
        list.add("snooze", action.snooze.map { .double($0) })
        return list.value
    }

    private static func decodeAction(
        _ values: KeyedValues
    ) throws(NotificationError) -> NotificationAction {
        var input: NotificationAction.TextInput?
        if let field = try values.dictionary("textInput") {
            input = .init(
                buttonTitle: try field.text("buttonTitle"),
                placeholder: try field.text("placeholder"))
        }
        return NotificationAction(
            identifier: try values.required("id"), title: try values.text("title"),
            options: .init(rawValue: try bits(values)), icon: try values.string("icon"),
            textInput: input, snooze: try values.real("snooze"))
    }

    /// All 64 bits, also those that no signed number holds.
    private static func bits(_ values: KeyedValues) throws(NotificationError) -> UInt {
        if let value = values.raw("options")?.uint64Value { return UInt(value) }
        return try values.exactly("options", UInt.self) ?? 0
    }
}
