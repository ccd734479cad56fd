import NotificationModel
internal import NotificationStore

/// The engine's decisions: each event is one mutating method that returns effects.
///
/// It owns everything in flight: sessions, deliveries, questions, launches and restorations. It
/// promises that `CenterEngine` has only to perform the effects, in their order. It never performs
/// I/O, never reads a clock, and never holds the schedule, which the store has.
struct EngineState {
    /// The timeout for an app to decide about the presentation of its notification, in
    /// microseconds.
    static let askTimeout: Int64 = 3_000_000
    /// The delay before a new claim while only blocked apps have due rows, in microseconds.
    static let recheckInterval: Int64 = 250_000
    /// The delay before a failed change of the store is retried, in microseconds.
    static let retryInterval: Int64 = 1_000_000

    /// Computes when requests are due, first and again.
    let schedule: FireSchedule
    /// The known apps; use `subscript(_:)` to read one.
    var apps: [ApplicationID: App] = [:]
    /// The permissions with an open question, and its token.
    var asking: [AskedPermission: UInt64] = [:]
    /// The connected processes of apps, and which of them has which response.
    var responses = ResponseMachine()
    var recent = RecentNotifications()
    /// The time at which a process of an app last disconnected, on the boot-time clock in
    /// microseconds.
    var departures: [ApplicationID: Int64] = [:]
    var lock = LockMachine()
    /// The regions of pending requests.
    var geofences = GeofenceMachine()
    /// The need that the location source got last.
    var locationNeed: LocationNeed?
    /// The deliveries from due to delivered, in a lane per app.
    var queue = DeliveryQueue()
    /// The number of events that are being stored for a notification.
    ///
    /// Its row stays until then: otherwise a response to it would count for its successor.
    var recording: [NotificationKey: Int] = [:]
    var launches: LaunchMachine
    /// The sounds that play now.
    var sounds = PlayingSounds()
    /// Whether there are programs that make images and play sounds.
    let hasMedia: Bool
    /// Whether the desktop can be asked about Do Not Disturb.
    let hasPreferences: Bool
    /// The form of the images that the media programs make; with `png`, they make every image.
    let imageForm: Image.Form
    var head = ScheduleHead()
    var isPresenterAvailable = false
    /// Whether a server runs that has reported its capabilities.
    ///
    /// A server that the bus could start does not count.
    var isServerRunning = false
    /// Whether the server keeps a list, so that lost popups are restored.
    ///
    /// This is assumed until a server is identified.
    var isPresenterPersistent = true
    var isClaiming = false
    /// The number of requests that are being stored as "presenting".
    var reserved = 0
    /// The tokens of the settled rows that the store is about to mark.
    var marking: Set<UInt64> = []
    /// The rows that were removed or replaced during a claim; the claim may still return them.
    var removedRows: Set<Int64> = []
    /// The apps whose claimed rows wait until their localisations are read.
    var localizing: Set<ApplicationID> = []
    /// Whether the last claim found nothing although a row is due.
    var isStalled = false
    /// Whether something changed since the running claim began.
    var hasChanged = false
    /// Whether nothing new may start.
    var isStopping = false
    /// The time of the next retry on the boot-time clock, in microseconds; nil if none is needed.
    var retryAt: Int64?
    /// The effects that are retried at that time.
    var failed: [EngineEffect] = []
    /// Whether the engine runs inside the app that it serves.
    let isEmbedded: Bool
    /// The periods in which no due request could be shown.
    var outages = OutageLog()
    /// The latest time that the wall clock showed since it was set; nil before the first reading.
    var latestWall: Instant?
    /// Limits how many late notifications get separate popups.
    var allowance = LateAllowance()
    /// The watchers, and the changes that are not reported to them yet.
    var changes = ChangeLedger()
    /// The popups that a server lost and that the engine restores.
    var restorations = RestoreMachine()
    private var lastNumber: UInt64 = 0

    /// Makes the state of an engine without deliveries.
    init(
        schedule: FireSchedule, isEmbedded: Bool = false, launchesApps: Bool = false,
        hasMedia: Bool = false, hasPreferences: Bool = false,
        imageForm: Image.Form = .pixels
    ) {
        self.schedule = schedule
        self.isEmbedded = isEmbedded
        self.hasMedia = hasMedia
        self.hasPreferences = hasPreferences
        self.imageForm = imageForm
        launches = LaunchMachine(isPossible: launchesApps)
    }

    /// Whether no delivery, claim, insertion or restoration is under way; early rows only wait.
    var isIdle: Bool {
        deliveries.values.allSatisfy { $0.stage == .early } && !isClaiming && reserved == 0
            && restorations.current == nil
    }

    /// The connected processes of apps.
    var sessions: [ServiceSession: ResponseMachine.Session] { responses.sessions }

    /// The deliveries, by their tokens.
    var deliveries: [UInt64: Delivery] { queue.deliveries }

    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }
}
