internal import NotificationModel

/// What a caller may do, decided once for each connection.
///
/// A program in a sandbox acts as itself alone, and one whose sandbox cannot be told as nobody:
/// the id that it gives would be its own word.
struct CallerRights: Hashable, Sendable {
    /// On whose behalf a caller acts.
    enum Scope: Hashable, Sendable {
        /// On nobody's: it belongs to another user.
        case stranger
        /// On that of any app: it is a program of the person like any other.
        case person
        /// On that of one app, which its sandbox names.
        case app(ApplicationID)
        /// On nobody's: its sandbox does not say which app it is.
        case unknownSandbox
    }

    /// On whose behalf it acts.
    var scope: Scope
    /// The absolute path of its program, as it means something here; empty in a sandbox.
    var executable = ""
    /// The app or process whose quota its calls use; empty where neither is known.
    var quotaOwner = ""

    /// Nothing at all.
    static let none = CallerRights(scope: .stranger)

    /// Decides for a caller, as a program of this user.
    init(_ facts: CallerFacts, user: UInt32) {
        guard facts.user == user else {
            self = .none
            return
        }
        scope = Self.scope(of: facts)
        guard scope == .person else { return }
        let isSnap = SnapName.application(inControlGroups: facts.controlGroups) != nil
        executable = isSnap ? "" : facts.executable
    }

    init(scope: Scope, executable: String = "") {
        self.scope = scope
        self.executable = executable
    }

    private static func scope(of facts: CallerFacts) -> Scope {
        switch facts.flatpak {
        case .info(let text): return sandbox(text.flatMap { FlatpakInfo.application(in: $0) })
        case .none: break
        }
        if let snap = SnapName.application(confinedBy: facts.label) { return sandbox(snap) }
        // A Snap that is confined has files of its own. One that is not is like any other program,
        // and so are the shells of its terminals, which stay in its control group.
        if facts.sharesOurWorld { return .person }
        return sandbox(SnapName.application(inControlGroups: facts.controlGroups))
    }

    private static func sandbox(_ id: String?) -> Scope {
        guard let id, let app = try? ApplicationID(id) else { return .unknownSandbox }
        return .app(app)
    }

    /// Whether the caller runs this program, outside of any sandbox.
    ///
    /// Nothing that came over the bus is ever executed but the very program that sent it. Its
    /// arguments are its own affair: they go to nobody but itself.
    func runs(_ program: String) -> Bool {
        // What was replaced while it runs is found under its name again.
        !executable.isEmpty && (executable == program || executable == program + " (deleted)")
    }

    /// Why a member may not be called whatever the call says, or nil where that depends on its app.
    func refusal(of member: String, _ access: AccessScope) -> NotificationError? {
        if case .app = scope, access == .oneApp { return nil }
        return refusal(of: member, access, naming: nil)
    }

    private static let strangerRefusal = NotificationError(
        .accessDenied,
        "This notification centre belongs to another user. Call the one on your own session bus.")

    /// Why a call may not be made, or nil where it may; `app` is the one that it names.
    func refusal(
        of member: String, _ access: AccessScope, naming app: String?
    ) -> NotificationError? {
        switch (scope, access) {
        case (.person, _): return nil
        case (.stranger, _): return Self.strangerRefusal
        case (_, .centre), (_, .ownToken): return nil
        case (.app(let own), .oneApp) where app == own.rawValue: return nil
        case (.app(let own), .oneApp):
            let other = app.map { $0.isEmpty ? "all apps" : $0.quotedForMessage() } ?? "no app"
            return NotificationError(
                .accessDenied,
                "\(own) runs in a sandbox and may not call \(member) for \(other). Name \(own), or "
                    + "call from outside of the sandbox.")
        case (.app(let own), .everyApp):
            return NotificationError(
                .accessDenied,
                "\(own) runs in a sandbox and may not call \(member), which is about every app or "
                    + "decides for the person. Use 'tocsin' outside of the sandbox.")
        case (.unknownSandbox, _):
            return NotificationError(
                .accessDenied,
                "\(member) was refused: the caller runs in a container or sandbox (it has other "
                    + "files, processes or users than tocsind, as after 'unshare', 'docker run' "
                    + "or PrivateTmp= of a unit), or has ended, so that nobody can tell which app it is. Run it "
                    + "outside, where the session's other programs run, or package it as a "
                    + "Flatpak or Snap, whose name is known.")
        }
    }
}
