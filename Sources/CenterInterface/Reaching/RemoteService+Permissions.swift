internal import DesktopBus
public import NotificationModel

// What an app may do.
extension RemoteService {
    /// Longer than a question is open, so that the daemon's answer always comes first.
    private static let personsPatience: Duration = .seconds(120)

    /// Asks the person whether the app may notify, unless that is decided.
    public func requestAuthorization(
        _ options: Permission.Options, for app: ApplicationID
    ) async throws(NotificationError) -> Bool {
        let answer = try await call(
            "RequestAuthorization",
            [.string(app.rawValue), .uint64(UInt64(options.rawValue))],
            isWait: true, timeout: Self.personsPatience)
        return answer.first?.boolValue ?? false
    }

    /// How an app may notify, and what the server can do.
    public func settings(
        of app: ApplicationID
    ) async throws(NotificationError) -> ApplicationSettings {
        let answer = try await call("Settings", [.string(app.rawValue)])
        return try decode("Settings") { () throws(NotificationError) in
            try PermissionCoding.settings(answer.first ?? .vardict([]))
        }
    }

    /// The apps that have a permission, or were denied one, by their ids.
    public func permissions() async throws(NotificationError) -> [ApplicationPermission] {
        let answer = try await call("Permissions")
        return try decode("Permissions") { () throws(NotificationError) in
            try KeyedValues.list(answer.first ?? .bytes([]), of: "the list").map {
                values throws(NotificationError) in
                try PermissionCoding.entry(values)
            }
        }
    }

    /// Decides for the person about an app.
    public func decide(
        _ decision: PermissionDecision, for app: ApplicationID
    ) async throws(NotificationError) {
        _ = try await call("Decide", [.string(app.rawValue), .string(decision.rawValue)])
    }

    /// Sets when the texts of an app's notifications are shown, for the person.
    public func setPreviews(
        _ previews: ShowPreviews, of app: ApplicationID
    ) async throws(NotificationError) {
        _ = try await call(
            "SetPreviews", [.string(app.rawValue), PermissionCoding.encode(previews)])
    }

    /// Opens the page of the desktop's settings about notifications, that of the app if there is one.
    public func openNotificationSettings(of app: ApplicationID) async throws(NotificationError) {
        _ = try await call("OpenNotificationSettings", [.string(app.rawValue)])
    }

    /// Sets the number on the app's icon; 0 removes it.
    public func setBadge(_ count: Int, of app: ApplicationID) async throws(NotificationError) {
        _ = try await call("SetBadge", [.string(app.rawValue), .int64(Int64(count))])
    }
}
