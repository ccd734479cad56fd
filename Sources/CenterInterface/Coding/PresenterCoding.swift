internal import DesktopBus
internal import NotificationModel

/// What is known of the notification server, as `a{sv}`.
enum PresenterCoding {
    static func encode(_ presenter: PresenterStatus) -> BusValue {
        var list = EntryList()
        list.add("available", .bool(presenter.isAvailable))
        list.text("name", presenter.name)
        list.text("vendor", presenter.vendor)
        list.text("version", presenter.version)
        list.text("specification", presenter.specification)
        list.strings("capabilities", presenter.capabilities)
        list.add("inhibited", presenter.isInhibited.map { .bool($0) })
        list.flag("showsBadges", presenter.showsBadges)
        list.flag("portal", presenter.isPortal)
        return list.value
    }

    static func decode(_ values: KeyedValues) throws(NotificationError) -> PresenterStatus {
        var status = PresenterStatus(
            isAvailable: try values.flag("available"), name: try values.text("name"),
            vendor: try values.text("vendor"), version: try values.text("version"),
            specification: try values.text("specification"),
            capabilities: try values.strings("capabilities"),
            isInhibited: try values.bool("inhibited"),
            showsBadges: try values.flag("showsBadges"))
        status.isPortal = try values.flag("portal")
        return status
    }
}
