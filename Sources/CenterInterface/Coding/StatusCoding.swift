internal import DesktopBus
internal import NotificationModel

/// The service's status as `a{sv}`.
enum StatusCoding {
    static func encode(_ status: ServiceStatus) -> BusValue {
        var list = EntryList()
        list.text("version", status.version)
        list.text("hosting", status.hosting)
        list.text("store", status.store)
        list.integer("pendingCount", status.pendingCount)
        list.integer("deliveredCount", status.deliveredCount)
        list.integer("responseCount", status.responseCount)
        list.instant("nextFire", status.nextFire)
        list.add("presenter", PresenterCoding.encode(status.presenter))
        var lock = EntryList()
        lock.add("locked", .bool(status.lock.isLocked))
        lock.strings("sources", status.lock.sources)
        list.add("lock", lock.value)
        return list.value
    }

    static func decode(_ value: BusValue) throws(NotificationError) -> ServiceStatus {
        let values = try KeyedValues(value, of: "the status")
        let presenter = try values.dictionary("presenter").map {
            known throws(NotificationError) in
            try PresenterCoding.decode(known)
        }
        let lock = try values.dictionary("lock").map { known throws(NotificationError) in
            LockStatus(
                isLocked: try known.flag("locked"), sources: try known.strings("sources"))
        }
        var status = ServiceStatus(
            version: try values.text("version"), hosting: try values.text("hosting"),
            store: try values.text("store"), pendingCount: try values.count("pendingCount"),
            deliveredCount: try values.count("deliveredCount"),
            responseCount: try values.count("responseCount"),
            nextFire: try values.instant("nextFire"),
            presenter: presenter ?? PresenterStatus(isAvailable: false))
        status.lock = lock ?? LockStatus()
        return status
    }
}
