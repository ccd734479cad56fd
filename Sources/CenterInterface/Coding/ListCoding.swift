internal import DesktopBus
internal import NotificationModel

/// Pages of lists, and what asks for them.
enum ListCoding {
    /// What asks for a page, as `a{sv}`.
    static func encode(_ query: ListQuery) -> BusValue {
        var list = EntryList()
        list.text("after", query.after?.rawValue)
        if query.limit != ListQuery.defaultLimit { list.integer("limit", query.limit) }
        list.add("identifiers", query.identifiers.map { .strings($0) })
        return list.value
    }

    /// What asks for a page; the service checks its values.
    static func query(_ value: BusValue) throws(NotificationError) -> ListQuery {
        let values = try KeyedValues(value, of: "the options")
        let after = try values.text("after")
        let limit = try values.integer("limit").map { Int(clamping: $0) } ?? ListQuery.defaultLimit
        return ListQuery(
            identifiers: values.raw("identifiers") == nil ? nil : try values.strings("identifiers"),
            after: after.isEmpty ? nil : PageCursor(rawValue: after), limit: limit)
    }

    /// A page as the values of an answer, without the items that D-Bus cannot carry.
    ///
    /// One of those would take the whole page away, and with it every other app's.
    static func encode<Element>(
        _ page: ListPage<Element>, _ record: Record<Element>,
        leavingOut leaveOut: (Element, NotificationError) -> Void
    ) -> [BusValue] {
        var values: [BusValue] = []
        for item in page.notifications {
            do throws(NotificationError) {
                values.append(try record.busValue(of: item).checked())
            } catch {
                leaveOut(item, error)
            }
        }
        return [.dictionaries(values), .string(page.next?.rawValue ?? "")]
    }

    /// The page of an answer.
    static func page<Element>(
        _ answer: [BusValue], _ record: Record<Element>
    ) throws(NotificationError) -> ListPage<Element> {
        let values = try KeyedValues.list(answer.first ?? .bytes([]), of: "the list")
        let next = answer.dropFirst().first?.stringValue ?? ""
        return ListPage(
            notifications: try values.map { item throws(NotificationError) in
                try record.value(of: item)
            },
            next: next.isEmpty ? nil : PageCursor(rawValue: next))
    }
}

extension BusValue {
    /// The value, if D-Bus can carry it.
    func checked() throws(NotificationError) -> BusValue {
        do throws(BusError) {
            try checkForSending()
            return self
        } catch {
            throw NotificationError(.invalidArgument, error.message)
        }
    }
}
