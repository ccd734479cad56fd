internal import DesktopBus
internal import Glibc
internal import NotificationModel

/// Asks the bus and the kernel who is behind a connection.
struct CallerInspection {
    let connection: BusConnection

    /// What the caller may do; one that cannot be looked at counts as sandboxed.
    func rights(of sender: BusName) async -> CallerRights {
        let asked = CallerProgram.now()
        guard let credentials = try? await connection.credentials(of: sender),
            credentials.uid == geteuid()
        else { return .none }
        let unknown = CallerRights(scope: .unknownSandbox)
        guard let process = credentials.pid else { return unknown }
        let program = CallerProgram(process: process, handle: credentials.process)
        let facts = program.facts(user: credentials.uid, label: credentials.securityLabel)
        switch program.sameness(asked: asked) {
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
