internal import DesktopBus
public import NotificationModel

extension RemoteService {
    /// A page of the records of what came to nothing, of one app or of all, newest first.
    public func recordPage(
        _ query: ListQuery, of app: ApplicationID?
    ) async throws(NotificationError) -> ListPage<NotificationRecord> {
        let answer = try await call(
            "Records", [.string(app?.rawValue ?? ""), ListCoding.encode(query)])
        return try decode("Records") { () throws(NotificationError) in
            try ListCoding.page(answer, NotificationRecord.record)
        }
    }
}
