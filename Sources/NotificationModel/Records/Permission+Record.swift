// The records of an app's rights and settings, of push headers, and of list queries.

extension Permission {
    /// The user's decision, and the options that the app asked for.
    package static let record = Record<Permission>([
        Field(required: "status", \.status),
        Field(required: "options", \.options).optional,
        Field("location", \.location, .notDetermined),
    ]) { Permission() }
}

extension ApplicationSettings {
    /// If the app has a permission, the record includes the fields of the permission.
    package static let record = Record<ApplicationSettings>([
        Field(beside: Permission.record, \.permission),
        Field(required: "presenter", \.presenter) { PresenterStatus.record }.optional,
        Field("showsBadge", \.showsBadge, false),
        Field("playsSounds", \.playsSounds, false),
        Field(required: "previews", \.previews).optional,
        Field("desktop", \.desktop) { AppSwitch.record },
    ]) { ApplicationSettings(permission: nil, presenter: PresenterStatus(isAvailable: false)) }
}

extension ApplicationPermission {
    /// If the app has a permission, the record includes the fields of the permission.
    package static let record = Record<ApplicationPermission>([
        Field(required: "app", \.app),
        Field("name", \.name, ""),
        Field(beside: Permission.record, \.permission),
        Field(required: "previews", \.previews).optional,
    ]) { ApplicationPermission(app: .tocsin, permission: nil) }
}

extension PushHeaders {
    /// The headers, under the names of the bus interface.
    package static let record = Record<PushHeaders>([
        Field("collapseIdentifier", \.collapseIdentifier),
        Field("priority", \.priority, .high),
        Field("expiration", \.expiration),
    ]) { PushHeaders() }
}

extension ListQuery {
    /// The parameters that name a page of a list.
    ///
    /// The service checks their values.
    package static let record = Record<ListQuery>([
        Field("after", \.place, ""),
        Field("limit", \.limit, ListQuery.defaultLimit),
        Field("identifiers", \.identifiers),
        Field("abbreviation", \.abbreviation),
    ]) { ListQuery() }

    /// The place where the previous page ended; empty for the first page.
    private var place: String {
        get { after?.rawValue ?? "" }
        set { after = newValue.isEmpty ? nil : PageCursor(rawValue: newValue) }
    }
}

extension Permission.Options: RecordScalar {}

extension PushHeaders.Priority: RecordScalar {
    package static var wanted: String {
        "10 or 5 to show the notification at once, or 1 to show it without popup and sound"
    }
    package var recordValue: RecordValue { .integer(rawValue) }
    package init?(recordValue: RecordValue) {
        guard let number = Int64(recordValue: recordValue) else { return nil }
        self.init(rawValue: number)
    }
}
