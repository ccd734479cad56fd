internal import DesktopBus
internal import Glibc
internal import NotificationModel
internal import Reactor

/// Asks the bus and the kernel who is behind a connection.
struct CallerInspection {
    let connection: BusConnection
    /// What was learned of the ages of connections.
    var ages = Locked(ConnectionAges())

    /// Errors that say nothing of the caller.
    private static let passing: Set<BusError.Code> = [
        .disconnected, .timedOut, .cancelled, .noReply, .limitsExceeded,
    ]

    /// What the caller may do; one that cannot be looked at counts as sandboxed.
    ///
    /// Nil where that cannot be found out for the moment: the bus does not answer, or there is no
    /// descriptor left.
    nonisolated(nonsending) func rights(of sender: BusName) async -> CallerRights? {
        let asked = CallerProgram.now()
        let credentials: BusCredentials
        do throws(BusError) {
            credentials = try await connection.credentials(of: sender)
        } catch {
            return Self.passing.contains(error.code) ? nil : CallerRights.none
        }
        guard credentials.uid == geteuid() else { return CallerRights.none }
        let unknown = CallerRights(scope: .unknownSandbox)
        guard let process = credentials.pid else { return unknown }
        let program = CallerProgram(process: process, handle: credentials.process)
        let facts = program.facts(user: credentials.uid, label: credentials.securityLabel)
        let known = ages.withLock { ages in
            ages.note(sender, at: asked)
            return ages.latestStart(of: sender)
        }
        let sameness = program.sameness(asked: known ?? asked)
        if program.lacksDescriptors { return nil }
        switch sameness {
        case .sure: break
        case .young:
            guard let owner = try? await connection.owner(of: sender), owner == sender else {
                return unknown
            }
        case .other: return unknown
        }
        var rights = CallerRights(facts, user: geteuid())
        // A sandboxed app is one, however many processes and connections it has.
        rights.quotaOwner =
            if case .app(let app) = rights.scope { app.rawValue } else { "\(process)" }
        return rights
    }
}

/// How old connections are at least, by the numbers in their unique names.
///
/// A bus counts its connections up and uses no number twice. So one that has a smaller number than
/// another was made before anybody knew the other.
///
/// It is the second line where the bus gives no `ProcessFD` (dbus-daemon before 1.15.8): there a
/// caller is known by the number of its process, and the system may have given the number of a
/// process that ended to another one. A program in a sandbox can leave its connection to a child,
/// end, and wait for a program of the user to get its number. A process that began after the
/// connection was known is not the one that made it, and counts as an unknown sandbox. What is left
/// is a connection of which the notification centre never heard while a whole round of process
/// numbers passed (4,194,304 on 64-bit systems). A bus with `ProcessFD` leaves nothing.
struct ConnectionAges {
    private static let capacity = 256

    private struct Sighting {
        var number: UInt64
        /// In clock ticks since the machine's start.
        var time: UInt64
    }

    /// With growing numbers and times: a later one with a smaller number says nothing new.
    private var sightings: [Sighting] = []

    /// A connection was seen at this time.
    mutating func note(_ name: BusName, at time: UInt64) {
        guard let number = Self.number(of: name), number > sightings.last?.number ?? 0 else {
            return
        }
        sightings.append(Sighting(number: number, time: time))
        // Every second one: the rest still covers the whole time.
        guard sightings.count > Self.capacity else { return }
        sightings = sightings.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
    }

    /// The latest time at which the process of a connection can have begun; nil where nothing is
    /// known.
    func latestStart(of name: BusName) -> UInt64? {
        guard let number = Self.number(of: name) else { return nil }
        return sightings.first { $0.number >= number }?.time
    }

    private static func number(of name: BusName) -> UInt64? {
        name.rawValue.split(separator: ".").last.flatMap { UInt64($0) }
    }
}
