internal import DesktopBus
internal import Glibc
internal import NotificationModel

/// Asks the bus and the kernel who is behind a connection.
struct CallerInspection {
    let connection: BusConnection

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
        let sameness = program.sameness(asked: asked)
        if program.lacksDescriptors { return nil }
        switch sameness {
        case .sure: break
        case .young:
            guard let owner = try? await connection.owner(of: sender), owner == sender else {
                return unknown
            }
        case .other: return unknown
        }
        return CallerRights(facts, user: geteuid())
    }
}
