extension ServiceStatus {
    package static let record = Record<ServiceStatus>([
        Field("version", \.version, ""),
        Field("hosting", \.hosting, ""),
        Field("store", \.store, ""),
        Field("storeFull", \.isStoreFull, false),
        Field(required: "pendingCount", \.pendingCount).optional,
        Field(required: "deliveredCount", \.deliveredCount).optional,
        Field(required: "responseCount", \.responseCount).optional,
        Field("nextFire", \.nextFire),
        Field(required: "presenter", \.presenter) { PresenterStatus.record }.optional,
        Field(required: "lock", \.lock) { LockStatus.record }.optional,
        Field("location", \.location, .unknown),
        Field(required: "push", \.push) { PushStatus.record }.optional,
    ]) {
        ServiceStatus(
            version: "", hosting: "", store: "", pendingCount: 0, deliveredCount: 0,
            responseCount: 0, nextFire: nil, presenter: PresenterStatus(isAvailable: false))
    }
}

extension PresenterStatus {
    package static let record = Record<PresenterStatus>([
        Field(required: "available", \.isAvailable).optional,
        Field("name", \.name, ""),
        Field("vendor", \.vendor, ""),
        Field("version", \.version, ""),
        Field("specification", \.specification, ""),
        Field("capabilities", \.capabilities, []),
        Field("inhibited", \.isInhibited),
        Field("showsBadges", \.showsBadges, false),
        Field("portal", \.isPortal, false),
    ]) { PresenterStatus(isAvailable: false) }
}

extension LocationStatus: RecordScalar {
    package static var wanted: String { String.wanted }
    package var recordValue: RecordValue { .string(rawValue) }
    /// A word that this version does not know becomes `unknown`.
    package init?(recordValue: RecordValue) {
        guard case .string(let word) = recordValue else { return nil }
        self = Self(rawValue: word) ?? .unknown
    }
}

extension LockStatus {
    static let record = Record<LockStatus>([
        Field(required: "locked", \.isLocked).optional,
        Field("sources", \.sources, []),
    ]) { LockStatus() }
}

extension AppSwitch {
    package static let record = Record<AppSwitch>([
        Field("name", \.desktop, ""),
        Field(required: "on", \.isOn).optional,
        Field("banners", \.showsBanners),
        Field("sounds", \.playsSounds),
        Field("badges", \.showsBadges),
        Field("list", \.isListed),
        Field("lockScreen", \.isOnLockScreen),
        Field("textsWhileLocked", \.showsTextsWhileLocked),
        Field("criticalInSilence", \.showsCriticalInSilence),
    ]) { AppSwitch(desktop: "", isOn: false) }
}
