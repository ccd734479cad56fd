internal import NotificationModel

/// What has to be done so that the schedule says what a folder says; pure.
struct FolderChange: Hashable {
    /// New, or other than before.
    var added: [ImportItem] = []
    /// In no file any more.
    var removed: [String] = []

    /// Compares the folder's items with what waits.
    init(from pending: [NotificationRequest], to items: [ImportItem], folder: String) {
        let own = pending.filter { $0.content.userInfo[ICalendarImport.mark] == .string(folder) }
        let known = Dictionary(own.map { ($0.identifier, $0) }) { $1 }
        added = items.filter { item in
            known[item.request.identifier].map(Self.withoutAge) != Self.withoutAge(item.request)
        }
        let wanted = Set(items.map(\.request.identifier))
        removed = own.map(\.identifier).filter { !wanted.contains($0) }
    }

    /// When it was made says nothing; of a rule's count one is used up each time.
    private static func withoutAge(_ request: NotificationRequest) -> NotificationRequest {
        var request = request
        request.content.userInfo[RequestMark.created] = nil
        return request
    }
}
