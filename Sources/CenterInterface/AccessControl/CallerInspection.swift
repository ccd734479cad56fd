internal import DesktopBus
internal import Glibc
internal import NotificationModel
internal import Reactor

/// Asks the bus and the kernel which program is behind a connection.
struct CallerInspection {
    private let connection: BusConnection
    private let ages: Locked<ConnectionAges>
    /// The path of procfs; tests use another folder.
    private let root: String
    private let files: HangingWork

    /// Temporary errors, which say nothing about the caller.
    private static let temporary: Set<BusError.Code> = [
        .disconnected, .timedOut, .cancelled, .noReply, .limitsExceeded,
    ]

    init(
        connection: BusConnection, ages: Locked<ConnectionAges> = Locked(ConnectionAges()),
        root: String = "/proc"
    ) {
        self.connection = connection
        self.ages = ages
        self.root = root
        files = HangingWork(reactor: connection.reactor)
    }

    /// The rights of the caller.
    ///
    /// If the bus refuses to name the caller's user, or names another user, the caller has no
    /// rights. If the caller's program cannot be inspected, the caller counts as sandboxed.
    ///
    /// The result is nil if the bus or the caller's file system does not answer for the moment, or
    /// if no descriptor is free.
    nonisolated(nonsending) func rights(of sender: BusName) async -> CallerRights? {
        let asked = CallerProgram.now()
        let credentials: BusCredentials
        do throws(BusError) {
            credentials = try await connection.credentials(of: sender)
        } catch {
            return Self.temporary.contains(error.code) ? nil : CallerRights.none
        }
        guard credentials.uid == geteuid() else { return CallerRights.none }
        let unknown = CallerRights(scope: .unknownSandbox)
        guard let process = credentials.pid else { return unknown }
        // Record the first sighting before the wait for the facts, so that a hanging file system
        // cannot delay it.
        let known = ages.withLock { ages in
            ages.recordSighting(sender, at: asked)
            return ages.latestStart(of: sender)
        }
        let program = CallerProgram(process: process, handle: credentials.process, root: root)
        guard let facts = await facts(of: program, with: credentials) else { return nil }
        let sameness = program.sameness(asked: known ?? asked)
        if program.lacksDescriptors { return nil }
        switch sameness {
        case .sure: break
        case .young:
            do throws(BusError) {
                guard try await connection.owner(of: sender) == sender else { return unknown }
            } catch {
                return Self.temporary.contains(error.code) ? nil : unknown
            }
        case .other: return unknown
        }
        var rights = CallerRights(facts, user: geteuid())
        // A sandboxed app has one quota for all its processes and connections.
        rights.quotaOwner =
            if case .app(let app) = rights.scope { app.rawValue } else { "\(process)" }
        return rights
    }

    /// The facts about the program; nil if its file system does not answer in time.
    ///
    /// A sandbox can serve its own root folder. So the facts of a sandboxed program are read on a
    /// separate thread, whose hanging holds up no other caller.
    private nonisolated(nonsending) func facts(
        of program: CallerProgram, with credentials: BusCredentials
    ) async -> CallerFacts? {
        let (user, label) = (credentials.uid, credentials.securityLabel)
        guard !program.sharesOurWorld else {
            return program.facts(user: user, label: label, sharesOurWorld: true)
        }
        return await files.result(
            for: "\(program.process)", within: Limits.fileWait.duration
        ) { program.facts(user: user, label: label, sharesOurWorld: false) }
    }
}

/// Gives an upper bound for the start time of the process behind a connection.
///
/// A bus numbers its connections upwards and uses no number twice. So a connection is older than
/// every connection with a larger number.
///
/// A bus without `ProcessFD` (dbus-daemon before 1.15.8) names a caller only by its process number.
/// A sandboxed program could misuse this:
/// 1. It passes its connection to a child and ends, which frees its process number.
/// 2. The child waits until a program of the user gets that number, and then calls.
///
/// So a caller counts as an unknown sandbox if its process began after its connection was first
/// seen. One gap remains on such a bus: the process number may be reused before the connection is
/// first seen. But the kernel reuses a number only after it has used all other numbers. Where
/// systemd sets `kernel.pid_max`, there are 4,194,304 numbers.
struct ConnectionAges {
    private static let capacity = 256

    private struct Sighting {
        var number: UInt64
        /// The time of the sighting, in clock ticks since the machine's start.
        var time: UInt64
    }

    /// The sightings, in ascending order of their numbers.
    ///
    /// Each new sighting has the largest number so far. For a smaller number, an earlier sighting
    /// already gives a better bound.
    private var sightings: [Sighting] = []

    mutating func recordSighting(_ name: BusName, at time: UInt64) {
        guard let number = Self.number(of: name), number > sightings.last?.number ?? 0 else {
            return
        }
        sightings.append(Sighting(number: number, time: time))
        // Keep every second sighting; they still cover the whole time.
        guard sightings.count > Self.capacity else { return }
        sightings = sightings.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
    }

    /// An upper bound for the start time of the process behind a connection; nil if unknown.
    func latestStart(of name: BusName) -> UInt64? {
        guard let number = Self.number(of: name) else { return nil }
        return sightings.first { $0.number >= number }?.time
    }

    private static func number(of name: BusName) -> UInt64? {
        name.rawValue.split(separator: ".").last.flatMap { UInt64($0) }
    }
}
