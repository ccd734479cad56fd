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
        var presenter = EntryList()
        presenter.add("available", .bool(status.presenter.isAvailable))
        presenter.text("name", status.presenter.name)
        presenter.text("vendor", status.presenter.vendor)
        presenter.text("version", status.presenter.version)
        presenter.text("specification", status.presenter.specification)
        presenter.strings("capabilities", status.presenter.capabilities)
        list.add("presenter", presenter.value)
        return list.value
    }

    static func decode(_ value: BusValue) throws(NotificationError) -> ServiceStatus {
        let values = try KeyedValues(value, of: "the status")
        var presenter = PresenterStatus(isAvailable: false)
        if let known = try values.dictionary("presenter") {
            presenter = PresenterStatus(
                isAvailable: try known.flag("available"), name: try known.text("name"),
                vendor: try known.text("vendor"), version: try known.text("version"),
                specification: try known.text("specification"),
                capabilities: try known.strings("capabilities"))
        }
        return ServiceStatus(
            version: try values.text("version"), hosting: try values.text("hosting"),
            store: try values.text("store"), pendingCount: try values.count("pendingCount"),
            deliveredCount: try values.count("deliveredCount"),
            responseCount: try values.count("responseCount"),
            nextFire: try values.instant("nextFire"), presenter: presenter)
    }
}
