internal import DesktopBus
public import NotificationModel

// Requests, lists and categories.
extension RemoteService {
    /// Stores a request, in place of a pending one of the same identifier.
    public func add(
        _ request: NotificationRequest, attachments: [OpenFile], for app: ApplicationID
    ) async throws(NotificationError) {
        let arguments: [BusValue] = [
            .string(app.rawValue), try RequestCoding.encode(request),
            .array(element: "h", try Self.descriptors(of: attachments)),
        ]
        _ = try await call("Add", arguments, repeatable: false, files: attachments.count)
    }

    /// Stores many requests, either all of them or none.
    public func add(
        _ requests: [RequestWithFiles], for app: ApplicationID
    ) async throws(NotificationError) {
        let values = try requests.map { item throws(NotificationError) in
            try RequestCoding.encode(item.request)
        }
        let files = try Self.descriptors(of: requests.flatMap(\.files))
        let arguments: [BusValue] = [
            .string(app.rawValue), .dictionaries(values), .array(element: "h", files),
        ]
        _ = try await call("AddMany", arguments, repeatable: false, files: files.count)
    }

    /// Removes requests that wait.
    public func removePending(
        _ selection: NotificationSelection, of app: ApplicationID
    ) async throws(NotificationError) {
        switch selection {
        case .identifiers(let identifiers):
            _ = try await call("Remove", [.string(app.rawValue), .strings(identifiers)])
        case .all:
            _ = try await call("RemoveAll", [.string(app.rawValue)])
        }
    }

    /// A page of the requests that wait, of one app or of all.
    public func pendingPage(
        _ query: ListQuery, of app: ApplicationID?
    ) async throws(NotificationError) -> ListPage<PendingNotification> {
        let answer = try await call(
            "Pending", [.string(app?.rawValue ?? ""), ListCoding.encode(query)])
        return try decode("Pending") { () throws(NotificationError) in
            try ListCoding.page(answer, PendingNotification.record)
        }
    }

    /// Removes delivered notifications and takes their popups away.
    public func removeDelivered(
        _ selection: NotificationSelection, of app: ApplicationID
    ) async throws(NotificationError) {
        switch selection {
        case .identifiers(let identifiers):
            _ = try await call("RemoveDelivered", [.string(app.rawValue), .strings(identifiers)])
        case .all:
            _ = try await call("RemoveAllDelivered", [.string(app.rawValue)])
        }
    }

    /// A page of the delivered notifications, of one app or of all, newest first.
    public func deliveredPage(
        _ query: ListQuery, of app: ApplicationID?
    ) async throws(NotificationError) -> ListPage<DeliveredNotification> {
        let answer = try await call(
            "Delivered", [.string(app?.rawValue ?? ""), ListCoding.encode(query)])
        return try decode("Delivered") { () throws(NotificationError) in
            try ListCoding.page(answer, DeliveredNotification.record)
        }
    }

    /// Replaces the whole set of an app's categories.
    public func setCategories(
        _ categories: [NotificationCategory], of app: ApplicationID
    ) async throws(NotificationError) {
        let list = BusValue.dictionaries(
            categories.map { NotificationCategory.record.busValue(of: $0) })
        _ = try await call("SetCategories", [.string(app.rawValue), list])
    }

    /// An app's categories.
    public func categories(
        of app: ApplicationID
    ) async throws(NotificationError) -> [NotificationCategory] {
        let answer = try await call("Categories", [.string(app.rawValue)])
        return try decode("Categories") { () throws(NotificationError) in
            try Self.list(answer).map { values throws(NotificationError) in
                try NotificationCategory.record.value(of: values)
            }
        }
    }

    /// Returns when nothing of the app waits, is on its way, or was answered and not acknowledged.
    public func waitUntilIdle(
        _ app: ApplicationID, includingPopups: Bool
    ) async throws(NotificationError) {
        // A request may wait for years.
        _ = try await call(
            "WaitUntilIdle", [.string(app.rawValue), .bool(includingPopups)],
            isWait: true, timeout: .seconds(Int32.max))
    }

    /// How the service is.
    public func status() async throws(NotificationError) -> ServiceStatus {
        let answer = try await call("Status")
        return try decode("Status") { () throws(NotificationError) in
            try ServiceStatus.record.value(of: answer.first ?? .vardict([]), "the status")
        }
    }

    private static func list(_ answer: [BusValue]) throws(NotificationError) -> [KeyedValues] {
        try KeyedValues.list(answer.first ?? .bytes([]), of: "the list")
    }
}
