internal import NotificationModel

// What only a notification centre can do.
extension InboxService {
    func deliveredPage(
        _ query: ListQuery, of app: ApplicationID?
    ) async throws(NotificationError) -> ListPage<DeliveredNotification> {
        ListPage(notifications: [], next: nil)
    }

    func recordPage(
        _ query: ListQuery, of app: ApplicationID?
    ) async throws(NotificationError) -> ListPage<NotificationRecord> {
        ListPage(notifications: [], next: nil)
    }

    func setCategories(
        _ categories: [NotificationCategory], of app: ApplicationID
    ) async throws(NotificationError) { throw refusal }

    func removeDelivered(
        _ selection: NotificationSelection, of app: ApplicationID
    ) async throws(NotificationError) { throw refusal }

    func skip(
        _ identifier: String, of app: ApplicationID
    ) async throws(NotificationError) -> SkippedOccurrence { throw refusal }

    func snooze(
        _ identifier: String, of app: ApplicationID, for seconds: Double
    ) async throws(NotificationError) -> Instant { throw refusal }

    func push(
        _ payload: [UInt8], headers: PushHeaders, for app: ApplicationID?
    ) async throws(NotificationError) -> String? { throw refusal }

    func acknowledge(_ response: Int64, of app: ApplicationID) async throws(NotificationError) {
        throw refusal
    }

    func waitUntilIdle(
        _ app: ApplicationID, includingPopups: Bool
    ) async throws(NotificationError) { throw refusal }

    func requestAuthorization(
        _ options: Permission.Options, for app: ApplicationID
    ) async throws(NotificationError) -> Bool { throw refusal }

    func permissions() async throws(NotificationError) -> [ApplicationPermission] { throw refusal }

    func decide(
        _ decision: PermissionDecision, for app: ApplicationID
    ) async throws(NotificationError) { throw refusal }

    func setPreviews(
        _ previews: ShowPreviews, of app: ApplicationID
    ) async throws(NotificationError) { throw refusal }

    func openNotificationSettings(of app: ApplicationID) async throws(NotificationError) {
        throw refusal
    }

    func setBadge(_ count: Int, of app: ApplicationID) async throws(NotificationError) {
        throw refusal
    }

    func finishExtension(
        _ token: ExtensionToken, of app: ApplicationID, with content: ExtendedContent?
    ) async throws(NotificationError) { throw refusal }

    func watch(
        _ app: ApplicationID?, listener: @escaping @Sendable (ServiceChange) -> Void
    ) async throws(NotificationError) -> ServiceSession { throw refusal }

    // Nobody listens, so there is nothing to end or to answer.
    func setAsksBeforePresenting(_ asks: Bool, in session: ServiceSession) async {}
    func setExtendsPushes(_ extends: Bool, in session: ServiceSession) async {}
    func disconnect(_ session: ServiceSession) async {}
    func unwatch(_ session: ServiceSession) async {}
    func answer(_ token: PresentationToken, with options: PresentationOptions) async {}
}
