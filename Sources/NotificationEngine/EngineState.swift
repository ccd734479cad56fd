import NotificationModel
internal import NotificationStore

/// What the engine decides with: the few things in flight, never the schedule itself.
///
/// Every event is one mutating method that returns effects; `CenterEngine` performs them. The
/// state does no I/O and reads no clock.
struct EngineState {
    /// How long an app may think about whether its notification is shown, in microseconds.
    static let askTimeout: Int64 = 3_000_000
    /// How soon a queue in which only blocked apps are due is looked at again, in microseconds.
    static let recheckInterval: Int64 = 250_000
    /// How soon a failed change of the store is tried again, in microseconds.
    static let retryInterval: Int64 = 1_000_000

    /// When requests are due first, and when again.
    let schedule: FireSchedule
    /// What is known of apps; see `subscript(app:)`.
    var apps: [ApplicationID: App] = [:]
    /// The apps with an open question whether they may notify, and its token.
    var asking: [ApplicationID: UInt64] = [:]
    /// Who is connected, and has which response.
    var responses = ResponseMachine()
    var recent = RecentNotifications()
    /// When a process of an app last left, on the boot-time clock, in microseconds.
    var departures: [ApplicationID: Int64] = [:]
    var lock = LockMachine()
    /// What is on its way from due to delivered.
    var queue = DeliveryQueue()
    /// The notifications of which events are being stored, with how many: their rows stay until
    /// then, or an answer to one would be told as an answer to its successor.
    var recording: [NotificationKey: Int] = [:]
    var launches: LaunchMachine
    /// What is heard at this moment.
    var sounds = PlayingSounds()
    /// Whether there are programs that make pictures and play sounds.
    let hasMedia: Bool
    /// Whether the desktop can be asked whether Do Not Disturb is on.
    let hasPreferences: Bool
    /// The form in which they give a picture; of every one, where it is to be a file.
    let pictureForm: Picture.Form
    var head = ScheduleHead()
    var isPresenterAvailable = false
    /// Whether a server is there that has said what it can do; one that the bus could start is not.
    var isServerRunning = false
    /// Whether what a server loses comes back on the next one, because that keeps a list; so it is
    /// taken to be before a server has told.
    var presenterKeepsList = true
    var isClaiming = false
    /// How many requests are being stored as "presenting".
    var reserved = 0
    /// The settled rows that the store is about to mark.
    var marking: Set<UInt64> = []
    /// The rows that were removed or replaced during a claim: it may have taken them before.
    var removedRows: Set<Int64> = []
    /// The apps whose claimed rows wait for their localisations to be read.
    var localizing: Set<ApplicationID> = []
    /// Whether the last claim found nothing although something is due.
    var isStalled = false
    /// Whether something changed since the claim under way began.
    var hasChanged = false
    /// Whether nothing new may start.
    var isStopping = false
    /// When what the store could not do is tried again, on the boot-time clock.
    var retryAt: Int64?
    /// What is tried again then.
    var failed: [EngineEffect] = []
    /// Whether the engine belongs to the app that it serves.
    let isEmbedded: Bool
    /// When nobody could show what was due.
    var attendance = Attendance()
    /// The latest that the wall clock showed since it was set; nil before the first look.
    var latestWall: Instant?
    /// How many late ones become popups of their own.
    var allowance = LateAllowance()
    /// Who watches, and what they are still to be told.
    var changes = ChangeLedger()
    /// What a server lost and comes back.
    var restorations = RestoreMachine()
    private var lastNumber: UInt64 = 0

    /// Makes the state of an engine in which nothing is on its way.
    init(
        schedule: FireSchedule, isEmbedded: Bool = false, launchesApps: Bool = false,
        hasMedia: Bool = false, hasPreferences: Bool = false,
        pictureForm: Picture.Form = .pixels
    ) {
        self.schedule = schedule
        self.isEmbedded = isEmbedded
        self.hasMedia = hasMedia
        self.hasPreferences = hasPreferences
        self.pictureForm = pictureForm
        launches = LaunchMachine(isPossible: launchesApps)
    }

    /// Whether nothing is on its way.
    var isIdle: Bool {
        deliveries.isEmpty && !isClaiming && reserved == 0 && restorations.current == nil
    }

    /// The connected processes of apps.
    var sessions: [ServiceSession: ResponseMachine.Session] { responses.sessions }

    /// The claimed rows on their way, by their tokens.
    var deliveries: [UInt64: Delivery] { queue.deliveries }

    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    /// The session of an app that can show its settings: one that only waits for an answer cannot.
    func settingsSession(of app: ApplicationID) -> ServiceSession? {
        sessions.filter { $0.value.app == app && $0.value.identifiers == nil }
            .keys.max { $0.rawValue < $1.rawValue }
    }

    /// The session that speaks for an app: the newest, so that one response goes to one process.
    func session(of app: ApplicationID, asking: Bool = false) -> ServiceSession? {
        sessions.filter { $0.value.app == app && (!asking || $0.value.asksBeforePresenting) }
            .keys.max { $0.rawValue < $1.rawValue }
    }
}
