internal import DesktopBus
internal import NotificationModel

/// The signals that watchers get.
enum ChangeCoding {
    static func encode(_ change: ServiceChange) -> (member: MemberName, arguments: [BusValue]) {
        switch change {
        case .lists(let app, let lists):
            return (
                "Changed",
                [
                    .string(app?.rawValue ?? ""), .bool(lists.contains(.pending)),
                    .bool(lists.contains(.delivered)),
                ]
            )
        case .answer(let key, let action):
            var list = EntryList()
            list.add("id", .string(key.identifier))
            ResponseCoding.encode(action, into: &list)
            return ("Answered", [.string(key.app.rawValue), list.value])
        }
    }

    /// The change of a signal; nil for another signal.
    static func decode(
        _ member: MemberName, _ arguments: [BusValue]
    ) throws(NotificationError) -> ServiceChange? {
        let name = arguments.first?.stringValue ?? ""
        switch (member, arguments.count) {
        case ("Changed", 3):
            var lists: ChangedLists = []
            if arguments[1].boolValue == true { lists.insert(.pending) }
            if arguments[2].boolValue == true { lists.insert(.delivered) }
            return .lists(name.isEmpty ? nil : try ApplicationID(name), lists)
        case ("Answered", 2):
            let values = try KeyedValues(arguments[1], of: "the answer")
            let key = NotificationKey(
                app: try ApplicationID(name), identifier: try values.required("id"))
            return .answer(key, try ResponseCoding.action(values))
        default: return nil
        }
    }
}
