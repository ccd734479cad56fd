internal import DesktopBus
internal import NotificationModel

/// Freedesktop options as `a{sv}`; a hint keeps its D-Bus type.
enum DesktopOptionsCoding {
    static func encode(_ options: DesktopOptions) -> BusValue {
        var list = EntryList()
        list.text("icon", options.icon)
        list.add("expireTimeout", options.expireTimeout.map { .int32($0) })
        list.text("category", options.category)
        list.add("urgency", options.urgency.map { .byte($0) })
        list.flag("transient", options.isTransient)
        list.flag("requiresServer", options.requiresServer)
        list.add("offersClick", options.offersClick.map { .bool($0) })
        if !options.hints.isEmpty {
            let hints = options.hints.sorted { $0.key < $1.key }
            list.add("hints", .vardict(hints.map { ($0.key, encode($0.value)) }))
        }
        return list.value
    }

    static func decode(_ values: KeyedValues) throws(NotificationError) -> DesktopOptions {
        var options = DesktopOptions()
        options.icon = try values.string("icon")
        options.expireTimeout = try values.exactly("expireTimeout", Int32.self)
        options.category = try values.string("category")
        options.urgency = try values.exactly("urgency", UInt8.self)
        options.isTransient = try values.flag("transient")
        options.requiresServer = try values.flag("requiresServer")
        options.offersClick = try values.bool("offersClick")
        if let hints = try values.dictionary("hints") {
            for (name, value) in hints.entries {
                options.hints[name] = try decode(value, name: name, of: hints)
            }
        }
        return options
    }

    private static func encode(_ hint: DesktopOptions.Hint) -> BusValue {
        switch hint {
        case .boolean(let value): .bool(value)
        case .byte(let value): .byte(value)
        case .integer(let value): .int32(value)
        case .double(let value): .double(value)
        case .string(let value): .string(value)
        }
    }

    private static func decode(
        _ value: BusValue, name: String, of hints: KeyedValues
    ) throws(NotificationError) -> DesktopOptions.Hint {
        switch value.unwrapped {
        case .bool(let value): .boolean(value)
        case .byte(let value): .byte(value)
        case .int32(let value): .integer(value)
        case .double(let value): .double(value)
        case .string(let value): .string(value)
        default:
            throw hints.wrongType(name, wanted: "of the D-Bus type b, y, i, d or s")
        }
    }
}
