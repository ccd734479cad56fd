internal import DesktopBus
internal import Foundation
internal import Glibc
internal import Reactor

/// logind on a private bus, which replaces the system bus; a test locks the sessions of one user.
///
/// It owns the sessions and their hints.
///
/// It promises logind's signal for each change.
///
/// It never has a second user.
package actor ScriptedLogind {
    private static let user: ObjectPath = "/org/freedesktop/login1/user/me"
    private static let userInterface: InterfaceName = "org.freedesktop.login1.User"
    private static let sessionInterface: InterfaceName = "org.freedesktop.login1.Session"

    /// The inhibitor locks, in the order of the calls of `Inhibit`.
    package nonisolated let inhibitors = Recording<Inhibitor>()
    /// The released inhibitor locks, in the order of their release.
    package nonisolated let releases = Recording<Inhibitor>()

    private let connection: BusConnection
    private var locked: [String: Bool] = [:]
    private var display: String?
    private var beforeAnswer: (@Sendable () async -> Void)?
    private var beforeGrant: (@Sendable () async -> Void)?

    private init(_ connection: BusConnection) {
        self.connection = connection
    }

    /// Starts logind with sessions of these ids; `display` is the graphical session, if any.
    package static func start(
        on bus: PrivateBus, sessions: [String] = ["2"], display: String? = "2"
    ) async throws -> ScriptedLogind {
        let connection = try await BusConnection.open(on: bus, name: "logind")
        let logind = ScriptedLogind(connection)
        try await logind.export(sessions, display)
        try await connection.requestName("org.freedesktop.login1")
        return logind
    }

    /// Sets a session's `LockedHint`, and signals the value or only that the hint has changed.
    package func lock(
        _ isLocked: Bool = true, session: String = "2", tellsValue: Bool = true
    ) async throws {
        locked[session] = isLocked
        try await connection.emitPropertiesChanged(
            path: try Self.path(session), interface: Self.sessionInterface,
            changed: tellsValue ? [("LockedHint", .bool(isLocked))] : [],
            invalidated: tellsValue ? [] : ["LockedHint"])
    }

    /// Runs `work` before the next answer with a session's hint.
    ///
    /// The answer has the value that the hint had before `work`.
    package func runBeforeNextHint(_ work: @escaping @Sendable () async -> Void) {
        beforeAnswer = work
    }

    /// Runs `work` before the next answer to a call of `Inhibit`.
    package func runBeforeNextGrant(_ work: @escaping @Sendable () async -> Void) {
        beforeGrant = work
    }

    private func untilGranted() async {
        let work = beforeGrant
        beforeGrant = nil
        await work?()
    }

    private func hint(of session: String) async -> Bool {
        let isLocked = locked[session] ?? false
        let work = beforeAnswer
        beforeAnswer = nil
        await work?()
        return isLocked
    }

    /// Makes this session the graphical session; nil for no graphical session.
    package func show(_ session: String?) async throws {
        display = session
        try await connection.emitPropertiesChanged(
            path: Self.user, interface: Self.userInterface, changed: [],
            invalidated: ["Display"])
    }

    /// Leaves the bus.
    package func stop() async {
        await connection.close()
    }

    private func export(_ sessions: [String], _ display: String?) async throws {
        self.display = display
        let manager = InterfaceTable(
            name: "org.freedesktop.login1.Manager",
            methods: [
                MethodEntry(
                    "GetSession", in: [ArgumentEntry("id", "s")],
                    out: [ArgumentEntry("session", "o")]
                ) { [weak self] call in
                    let id = call.arguments[0].stringValue ?? ""
                    guard await self?.locked[id] != nil else {
                        throw BusError.remote("org.freedesktop.login1.NoSuchSession", "no \(id)")
                    }
                    return [.objectPath(try Self.path(id))]
                },
                MethodEntry(
                    "GetUser", in: [ArgumentEntry("uid", "u")], out: [ArgumentEntry("user", "o")]
                ) { call in
                    guard call.arguments[0].uint32Value == geteuid() else {
                        throw BusError.remote("org.freedesktop.login1.NoSuchUser", "no user")
                    }
                    return [.objectPath(Self.user)]
                },
                inhibitEntry,
            ],
            signals: (["PrepareForSleep", "PrepareForShutdown"] as [MemberName]).map {
                SignalEntry($0, [ArgumentEntry("start", "b")])
            })
        try await connection.export(
            ExportedObject(interfaces: [manager]), at: "/org/freedesktop/login1")
        let user = InterfaceTable(
            name: Self.userInterface,
            properties: [
                PropertyEntry("Display", "(so)") { [weak self] in
                    try await self?.displayValue() ?? .structure([])
                }
            ])
        try await connection.export(ExportedObject(interfaces: [user]), at: Self.user)
        for session in sessions { try await export(session) }
    }

    private func export(_ session: String) async throws {
        locked[session] = false
        let table = InterfaceTable(
            name: Self.sessionInterface,
            properties: [
                PropertyEntry("LockedHint", "b") { [weak self] in
                    .bool(await self?.hint(of: session) ?? false)
                }
            ])
        try await connection.export(
            ExportedObject(interfaces: [table]), at: try Self.path(session))
    }

    private func displayValue() throws(BusError) -> BusValue {
        guard let display else { return .structure([.string(""), .objectPath("/")]) }
        return .structure([.string(display), .objectPath(try Self.path(display))])
    }

    /// Announces a sleep, or its end.
    package func prepareForSleep(_ begins: Bool = true) async throws {
        try await announce("PrepareForSleep", begins)
    }

    /// Announces a shutdown, or its cancellation.
    package func prepareForShutdown(_ begins: Bool = true) async throws {
        try await announce("PrepareForShutdown", begins)
    }

    private func announce(_ member: MemberName, _ begins: Bool) async throws {
        try await connection.emit(
            path: "/org/freedesktop/login1", interface: "org.freedesktop.login1.Manager",
            member: member, arguments: [.bool(begins)])
    }

    /// Gives the caller the write end of a pipe; when its last copy is closed, records a release.
    private nonisolated var inhibitEntry: MethodEntry {
        MethodEntry(
            "Inhibit", in: ["what", "who", "why", "mode"].map { ArgumentEntry($0, "s") },
            out: [ArgumentEntry("pipe_fd", "h")]
        ) { [weak self, inhibitors, releases] call in
            let texts = call.arguments.map { $0.stringValue ?? "" }
            let inhibitor = Inhibitor(
                what: texts[0], who: texts[1], why: texts[2], mode: texts[3])
            let (source, target) = try Subprocess.pipe()
            inhibitors.append(inhibitor)
            await self?.untilGranted()
            Thread.detachNewThread {
                var byte: UInt8 = 0
                while read(source, &byte, 1) > 0 {}
                close(source)
                releases.append(inhibitor)
            }
            return [.descriptor(BusDescriptor(adopting: target))]
        }
    }

    private static func path(_ session: String) throws(BusError) -> ObjectPath {
        try ObjectPath("/org/freedesktop/login1/session/_\(session)")
    }
}

/// One call of logind's `Inhibit`.
package struct Inhibitor: Hashable, Sendable {
    /// The delayed events, such as `sleep:shutdown`.
    package var what: String
    /// The app.
    package var who: String
    /// The reason.
    package var why: String
    /// `delay` or `block`.
    package var mode: String

    package init(what: String, who: String, why: String, mode: String) {
        self.what = what
        self.who = who
        self.why = why
        self.mode = mode
    }
}
