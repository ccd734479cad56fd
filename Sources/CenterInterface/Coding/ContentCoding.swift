internal import DesktopBus
internal import NotificationModel

/// What a notification says, as entries of its request's `a{sv}`.
enum ContentCoding {
    static func encode(
        _ content: NotificationContent, into list: inout EntryList
    ) throws(NotificationError) {
        list.text("title", content.title)
        list.text("subtitle", content.subtitle)
        list.text("body", content.body)
        list.integer("badge", content.badge)
        list.add("sound", content.sound.map(encode))
        list.dictionaries(
            "attachments",
            try content.attachments.map { attachment throws(NotificationError) in
                try encode(attachment)
            })
        if !content.userInfo.isEmpty {
            list.add(
                "userInfo", try PropertyListCoding.encode(content.userInfo, key: "userInfo"))
        }
        list.text("category", content.categoryIdentifier)
        list.text("thread", content.threadIdentifier)
        list.text("launchImage", content.launchImageName)
        list.text("target", content.targetContentIdentifier)
        if content.interruptionLevel != .active {
            list.text("level", content.interruptionLevel.name)
        }
        // Compared by its bits: minus zero is not the default.
        if content.relevanceScore.bitPattern != 0 {
            list.add("relevanceScore", .double(content.relevanceScore))
        }
        list.text("filterCriteria", content.filterCriteria)
        list.add("progress", content.progress.map { .double($0) })
        list.text("summaryArgument", content.summaryArgument)
        list.count("summaryArgumentCount", content.summaryArgumentCount)
        list.add("localization", content.localization.flatMap(LocalizationCoding.encode))
        list.add("desktop", content.desktop.map(DesktopOptionsCoding.encode))
    }

    static func decode(_ values: KeyedValues) throws(NotificationError) -> NotificationContent {
        var content = NotificationContent()
        content.title = try values.text("title")
        content.subtitle = try values.text("subtitle")
        content.body = try values.text("body")
        content.badge = try values.integer("badge").map { Int($0) }
        if let sound = try values.dictionary("sound") { content.sound = try decodeSound(sound) }
        for attachment in try values.dictionaries("attachments") {
            content.attachments.append(try decodeAttachment(attachment))
        }
        if let userInfo = values.raw("userInfo") {
            content.userInfo = try PropertyListCoding.decode(userInfo, key: "userInfo")
        }
        content.categoryIdentifier = try values.text("category")
        content.threadIdentifier = try values.text("thread")
        content.launchImageName = try values.text("launchImage")
        content.targetContentIdentifier = try values.string("target")
        content.interruptionLevel = try decodeLevel(values)
        content.relevanceScore = try values.real("relevanceScore") ?? 0
        content.filterCriteria = try values.string("filterCriteria")
        content.progress = try values.real("progress")
        content.summaryArgument = try values.text("summaryArgument")
        content.summaryArgumentCount = try values.count("summaryArgumentCount")
        content.localization = try values.dictionary("localization").flatMap {
            values throws(NotificationError) in
            try LocalizationCoding.decode(values)
        }
        if let desktop = try values.dictionary("desktop") {
            content.desktop = try DesktopOptionsCoding.decode(desktop)
        }
        return content
    }

    private static func decodeLevel(
        _ values: KeyedValues
    ) throws(NotificationError) -> InterruptionLevel {
        guard let name = try values.string("level") else { return .active }
        guard let level = InterruptionLevel(name: name) else {
            throw values.wrongValue(
                "level", name, wanted: "passive, active, time-sensitive or critical")
        }
        return level
    }

    // MARK: Attachments

    private static func encode(
        _ attachment: NotificationAttachment
    ) throws(NotificationError) -> BusValue {
        var list = EntryList()
        list.add("id", .string(attachment.identifier))
        list.add("path", .string(attachment.path))
        list.add("type", .string(attachment.type))
        if !attachment.options.isEmpty {
            list.add(
                "options", try PropertyListCoding.encode(attachment.options, key: "options"))
        }
        return list.value
    }

    private static func decodeAttachment(
        _ values: KeyedValues
    ) throws(NotificationError) -> NotificationAttachment {
        var attachment = NotificationAttachment(
            identifier: try values.required("id"), path: try values.text("path"),
            type: try values.text("type"))
        if let options = values.raw("options") {
            attachment.options = try PropertyListCoding.decode(options, key: "options")
        }
        return attachment
    }

    // MARK: Sound

    private static func encode(_ sound: NotificationSound) -> BusValue {
        var list = EntryList()
        switch sound.source {
        case .standard: list.text("kind", "default")
        case .ringtone: list.text("kind", "ringtone")
        case .named(let name):
            list.text("kind", "named")
            list.add("name", .string(name))
        case .ringtoneNamed(let name):
            list.text("kind", "ringtoneNamed")
            list.add("name", .string(name))
        }
        list.flag("critical", sound.isCritical)
        list.add("volume", sound.volume.map { .double(Double($0)) })
        return list.value
    }

    private static func decodeSound(
        _ values: KeyedValues
    ) throws(NotificationError) -> NotificationSound {
        let source: NotificationSound.Source
        let kind = try values.required("kind")
        switch kind {
        case "default": source = .standard
        case "ringtone": source = .ringtone
        case "named": source = .named(try values.required("name"))
        case "ringtoneNamed": source = .ringtoneNamed(try values.required("name"))
        default:
            throw values.wrongValue(
                "kind", kind, wanted: "default, ringtone, named or ringtoneNamed")
        }
        return NotificationSound(
            source, isCritical: try values.flag("critical"),
            volume: try values.real("volume").map { Float($0) })
    }
}
