internal import NotificationModel
internal import NotificationSchedule

/// Hands imported items to the notification centre, one by one.
struct ImportRun {
    private let center: Center
    private let environment: ToolEnvironment
    private let app: ApplicationID?
    private let isPastOK: Bool
    private var provided: [ApplicationID: Set<NotificationCategory>] = [:]
    /// How many were taken.
    private(set) var count = 0

    /// Makes a run; `app` takes the place of the apps that items name.
    init(
        to center: Center, for app: ApplicationID?, isPastOK: Bool, in environment: ToolEnvironment
    ) {
        self.center = center
        self.app = app
        self.isPastOK = isPastOK
        self.environment = environment
    }

    /// Takes one; when this returns it is on disk.
    mutating func take(_ item: ImportItem) async throws(ToolError) {
        var request = item.request
        if case .at(let date) = request.trigger, date <= environment.now {
            guard isPastOK else {
                throw ToolError(
                    .data,
                    "\(request.identifier.quotedForMessage()) is past: "
                        + "\(RFC3339.text(date, zone: environment.zone)). Give it a later date, "
                        + "or add '--past-ok' to be notified now.")
            }
            request.trigger = nil
        }
        let app = app ?? item.app ?? .tocsin
        do throws(NotificationError) {
            if let category = item.category, !provided[app, default: []].contains(category) {
                try await center.provide(category, of: app, in: environment)
                provided[app, default: []].insert(category)
            }
            let files = try request.content.attachments.map {
                attachment throws(NotificationError) in try OpenFile(path: attachment.path)
            }
            try await center.service.add(request, attachments: files, for: app)
        } catch {
            throw ToolError(error)
        }
        count += 1
    }
}
