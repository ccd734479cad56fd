/// What a member of the interface reaches, and so who may call it.
enum MemberReach: Hashable, Sendable {
    /// One app, which the call names; the empty text would be all of them.
    case oneApp
    /// Every app, or what a person decides.
    case everyApp
    /// What was sent to the caller's own connection, by its token.
    case ownToken
    /// The notification centre itself, without anything of an app.
    case centre

    /// The members by name.
    ///
    /// One that is missing is kept from sandboxed callers.
    static let table: [String: MemberReach] = [
        "Connect": .oneApp, "Disconnect": .oneApp, "Add": .oneApp, "AddMany": .oneApp,
        "Push": .oneApp, "Remove": .oneApp, "RemoveAll": .oneApp, "Pending": .oneApp,
        "Skip": .oneApp, "Snooze": .oneApp, "Watch": .oneApp, "Unwatch": .centre,
        "Delivered": .oneApp, "RemoveDelivered": .oneApp, "RemoveAllDelivered": .oneApp,
        "SetCategories": .oneApp, "Categories": .oneApp, "RequestAuthorization": .oneApp,
        "Settings": .oneApp, "Permissions": .everyApp, "Decide": .everyApp,
        "SetPreviews": .everyApp, "SetBadge": .oneApp,
        "OpenNotificationSettings": .oneApp,
        "Acknowledge": .oneApp, "Answer": .ownToken, "WaitUntilIdle": .oneApp,
        "FinishExtension": .oneApp, "Status": .centre, "Records": .oneApp,
    ]

    /// The members that keep something of an app, which may be new.
    static let introducesApps: Set<String> = [
        "Connect", "Add", "AddMany", "Push", "SetCategories", "RequestAuthorization", "SetBadge",
    ]

    /// What a member reaches.
    static func of(_ member: String) -> MemberReach { table[member] ?? .everyApp }
}
