package import NotificationModel

/// The rights of a caller, decided once for each connection.
///
/// A sandboxed program acts only as the app that its sandbox names. If the sandbox names no app,
/// the program acts for nobody. An id that a sandboxed program gives is not trusted.
package struct CallerRights: Hashable, Sendable {
    /// The app or user for which a caller acts.
    package enum Scope: Hashable, Sendable {
        /// The caller belongs to another user and acts for nobody.
        case stranger
        /// The caller is an ordinary program of the user and acts for any app.
        case user
        /// The caller's sandbox names one app, for which the caller acts.
        case app(ApplicationID)
        /// The caller's sandbox names no app, so the caller acts for nobody.
        case unknownSandbox
    }

    var scope: Scope
    /// The absolute path of the caller's program; empty in a sandbox or a Snap's control group.
    var executable = ""
    /// The app or process whose quota the caller's calls use; empty if neither is known.
    var quotaOwner = ""

    static let none = CallerRights(scope: .stranger)

    init(_ facts: CallerFacts, user: UInt32) {
        guard facts.user == user else {
            self = .none
            return
        }
        scope = Self.scope(of: facts)
        guard scope == .user else { return }
        let isSnap = SnapName.application(inControlGroups: facts.controlGroups) != nil
        executable = isSnap ? "" : facts.executable
    }

    package init(scope: Scope, executable: String = "") {
        self.scope = scope
        self.executable = executable
    }

    private static func scope(of facts: CallerFacts) -> Scope {
        switch facts.flatpak {
        case .info(let text): return sandbox(text.flatMap { FlatpakInfo.application(in: $0) })
        case .none: break
        }
        if let snap = SnapName.application(confinedBy: facts.label) { return sandbox(snap) }
        // Check this before the control groups, because a control group proves no confinement. If a
        // terminal is a Snap, its shell stays in the Snap's control group but is not confined.
        if facts.sharesOurWorld { return .user }
        return sandbox(SnapName.application(inControlGroups: facts.controlGroups))
    }

    private static func sandbox(_ id: String?) -> Scope {
        guard let id, let app = try? ApplicationID(id) else { return .unknownSandbox }
        return .app(app)
    }

    /// Whether the caller runs this program, outside of any sandbox.
    ///
    /// A call may name a program and arguments for it. The daemon executes that program only if the
    /// caller itself runs it. Only the caller's own program gets the arguments, so the daemon does
    /// not check them.
    func runs(_ program: String) -> Bool {
        // When a program is replaced, the kernel appends " (deleted)" to the path of the old
        // program. The new program has the path without this mark.
        !executable.isEmpty && (executable == program || executable == program + " (deleted)")
    }

    /// The error if the caller may not call this member, whichever app the call names.
    ///
    /// The result is nil if the call is allowed, or if the decision depends on the app.
    func refusal(of member: String, _ access: AccessScope) -> NotificationError? {
        if case .app = scope, access == .oneApp { return nil }
        return refusal(of: member, access, naming: nil)
    }

    private static let strangerRefusal = NotificationError(
        .accessDenied,
        "This notification centre belongs to another user. Call the notification centre on your own "
            + "session bus.")

    /// The error if a call is not allowed, or nil; `app` is the app that the call names.
    func refusal(
        of member: String, _ access: AccessScope, naming app: String?
    ) -> NotificationError? {
        switch (scope, access) {
        case (.user, _): return nil
        case (.stranger, _): return Self.strangerRefusal
        case (_, .centre), (_, .ownToken): return nil
        case (.app(let own), .oneApp) where app == own.rawValue: return nil
        case (.app(let own), .oneApp):
            guard let app else {
                return NotificationError(
                    .accessDenied,
                    "\(own) runs in a sandbox, and its call of \(member) names no app. "
                        + "Name \(own).")
            }
            let other = app.isEmpty ? "all apps" : app.quotedForMessage()
            return NotificationError(
                .accessDenied,
                "\(own) runs in a sandbox and may not call \(member) for \(other). Name \(own), or "
                    + "call from outside of the sandbox.")
        case (.app(let own), .everyApp):
            return NotificationError(
                .accessDenied,
                "\(own) runs in a sandbox and may not call \(member), which is about every app or "
                    + "decides for the user. Use 'tocsin' outside of the sandbox.")
        case (.unknownSandbox, _):
            return NotificationError(
                .accessDenied,
                "The caller of \(member) has ended, or runs in a container or sandbox that names "
                    + "no app. Examples are 'docker run', 'unshare' and a unit with PrivateTmp=. "
                    + "Run it outside, or package it as a Flatpak or Snap.")
        }
    }
}
