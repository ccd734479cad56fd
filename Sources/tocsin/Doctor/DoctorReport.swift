internal import Freedesktop
internal import NotificationModel
internal import NotificationSchedule

/// The findings of `tocsin doctor`, from the facts that the command collected; pure.
///
/// The order of the checks follows the dependencies of the parts: the bus, the daemon, the server,
/// the apps. A check has a remedy if the user can do something.
struct DoctorReport {
    /// The earliest date that a correct clock can show: 2026-01-01.
    private static let earliest = Instant(microseconds: 1_767_225_600_000_000)

    var bus: String
    var status: ServiceStatus
    var permissions: [ApplicationPermission] = []
    var store = StoreFacts()
    var now: Instant
    var zone: ZoneRules
    /// The name of the user's zone, and the source of that name.
    var zoneName = "UTC"
    var zoneSource = "the system"
    /// Programs that Tocsin uses and that are not installed.
    var missingPrograms: Set<String> = []
    /// Files of the inbox that the daemon could not use.
    var unusable: [String] = []
    /// The directory with the commands of clicks, if the daemon has another state directory.
    ///
    /// A click then runs no command, because the daemon starts `tocsin respond`, which looks in the
    /// daemon's directory.
    var strayState: String?
    /// Why the daemon did not report; nil if it did.
    var refusal: ToolError?

    /// The substitute for each capability that a server may lack.
    private static let substitutes: [(capability: String, instead: String)] = [
        ("actions", "no buttons: only the popup itself can be clicked"),
        ("body", "the text becomes part of the title"),
        ("body-markup", "the subtitle is not bold"),
        ("persistence", "no list of past popups: scheduled ones stay until dismissed"),
        ("inline-reply", "an action that takes text asks with a dialog of zenity or kdialog"),
        ("sound", "tocsin-media plays the sounds"),
    ]

    private var substituted: [(capability: String, instead: String)] {
        guard status.presenter.isAvailable else { return [] }
        return Self.substitutes.filter { row in
            !status.presenter.capabilities.contains(row.capability)
                && !(status.presenter.isPortal && row.capability == "persistence")
        }
    }

    private var times: RelativeTime { RelativeTime(now: now, zone: zone) }

    var checks: [DoctorCheck] {
        let own = refusal == nil ? [storeCheck, state, queue].compactMap(\.self) : []
        let first = [.good("Bus", bus), daemon] + own
        return first + [inbox, clock].compactMap(\.self) + server
            + (refusal == nil ? [lock, location, push].compactMap(\.self) : []) + apps
    }

    /// The exit status of `tocsin doctor`.
    ///
    /// If the daemon did not report, it is the status of that error. If only the server's check
    /// failed, it is `noServer`. If any other check failed, it is `failure`.
    var exitStatus: ToolStatus {
        if let refusal { return refusal.status }
        let failed = checks.filter { $0.mark == .bad }
        if failed.contains(where: { $0.name != "Server" }) { return .failure }
        return failed.isEmpty ? .done : .noServer
    }

    func text(_ terminal: Terminal) -> String {
        let width = checks.map(\.name.terminalWidth).max() ?? 0
        return checks.map { $0.line(terminal, nameWidth: width) }.joined()
    }

    // MARK: The daemon

    private var daemon: DoctorCheck {
        if let refusal { return .bad("Daemon", refusal.message) }
        let text = "tocsind \(status.version), \(status.hosting)"
        guard status.version == Version.current else {
            return .warning(
                "Daemon", "\(text), but this is tocsin \(Version.current)",
                remedy: "Run 'systemctl --user restart tocsind', or log out and in.")
        }
        return .good("Daemon", text)
    }

    private var storeCheck: DoctorCheck {
        let path = status.store
        guard let mode = store.mode else {
            return .bad(
                "Store", "\(path) cannot be seen",
                remedy: "Run 'systemctl --user restart tocsind', and see its log with 'journalctl "
                    + "--user -u tocsind'.")
        }
        if mode & 0o077 != 0 {
            return .bad(
                "Store", "\(path) can be read by others",
                remedy: "Run: \(ShellQuoting.line(["chmod", "600", path]))")
        }
        guard store.isReadable else {
            return .bad(
                "Store", "\(path) is damaged",
                remedy: "See 'journalctl --user -u tocsind': the daemon saves what it can. Import "
                    + "a backup of 'tocsin export' for the rest.")
        }
        guard !status.isStoreFull else {
            return .bad(
                "Store", "\(path) takes no new requests: the disk is full",
                remedy: "Free some space on that disk, or in your quota on it. Pending requests "
                    + "still fire.")
        }
        guard store.damagedCount == 0 else {
            return .warning(
                "Store", "\(path); damaged and removed: \(store.damagedCount)",
                remedy: "Run 'tocsin missed' to see which; 'tocsin import' brings them back from a "
                    + "backup.")
        }
        return .good("Store", "\(path), \(store.sizeText), readable")
    }

    private var state: DoctorCheck? {
        strayState.map { directory in
            .warning(
                "State",
                "clicks run no commands: this tool stores them in \(directory), and the daemon "
                    + "looks in another directory",
                remedy: "Set XDG_STATE_HOME for the whole session, as in ~/.config/environment.d, "
                    + "or nowhere; then log out and in.")
        }
    }

    private var queue: DoctorCheck {
        let counts =
            "\(status.pendingCount) pending, \(status.deliveredCount) delivered, "
            + "\(status.responseCount) answers wait for their app"
        guard let next = status.nextFire else {
            return .good("Schedule", "\(counts); nothing is due")
        }
        let text = "\(counts); next \(times.full(next))"
        guard next <= now, !status.presenter.isAvailable else { return .good("Schedule", text) }
        return .warning(
            "Schedule", "\(counts); due since \(times.absolute(next)), waits for a server",
            remedy: "It is shown when a notification server appears; 'tocsin missed' lists it.")
    }

    private var inbox: DoctorCheck? {
        guard let first = unusable.first else { return nil }
        let text = unusable.count == 1 ? "a request" : "\(unusable.count) requests"
        return .warning(
            "Inbox", "\(text) that waited for a login could not be imported",
            remedy: "Read \(first.quotedForMessage()), schedule the request again, and remove "
                + "the file.")
    }

    private var clock: DoctorCheck {
        let text = "\(times.absolute(now)), \(zoneName) by \(zoneSource)"
        guard now >= Self.earliest else {
            return .bad(
                "Clock", "\(text): the clock is behind",
                remedy: "Set the clock, for example with 'timedatectl set-ntp true'.")
        }
        return .good("Clock", text)
    }

    // MARK: The server

    private func substitute(_ row: (capability: String, instead: String)) -> DoctorCheck {
        let name = "Without \(row.capability)"
        switch row.capability {
        case "inline-reply" where missingPrograms.isSuperset(of: ["zenity", "kdialog"]):
            return .warning(name, row.instead, remedy: "Install zenity or kdialog.")
        case "sound" where missingPrograms.contains("tocsin-media"):
            return .warning(
                name, "notifications are silent: tocsin-media is not installed",
                remedy: "Install Tocsin again, with its folder libexec.")
        default:
            return .warning(name, row.instead)
        }
    }

    private var server: [DoctorCheck] {
        let server = status.presenter
        guard server.isAvailable else {
            guard !server.isPortal else { return [portalIsMissing] }
            let remedy = "Start the desktop's own, or install one such as dunst."
            return [.bad("Server", "none is on the bus", remedy: remedy)]
        }
        // The presenter reports an installed server as available, even if the server has failed to
        // tell its name.
        guard server.isPortal || !server.name.isEmpty else {
            let remedy = "Restart the notification server, or log in again."
            return [.bad("Server", "it does not say its name and capabilities", remedy: remedy)]
        }
        let own = "\(server.name) \(server.version) by \(server.vendor), specification "
        var checks = [
            server.isPortal ? portal : .good("Server", own + server.specification),
            .good("Capabilities", server.capabilities.joined(separator: " ")),
        ]
        checks += substituted.map(substitute)
        if server.isPortal { checks += portalLimits }
        let quirks = desktop?.traits(of: server.version).sentences ?? []
        checks += quirks.map { .good("Quirk", $0) }
        return checks + [silence].compactMap(\.self)
    }

    private var silence: DoctorCheck? {
        if let isSilent = status.presenter.isInhibited {
            return isSilent
                ? .warning(
                    "Do Not Disturb", "is on: the server shows no popups",
                    remedy: "Turn it off in the desktop's panel or settings.")
                : .good("Do Not Disturb", "is off")
        }
        guard desktop?.usesGSettings == true, missingPrograms.contains("gsettings") else {
            return nil
        }
        return .warning(
            "gsettings",
            "is not installed, so Tocsin does not notice "
                + "that the desktop's settings turned an app off",
            remedy: "Install it; on Debian it is in libglib2.0-bin.")
    }

    private var lock: DoctorCheck {
        let lock = status.lock
        guard !lock.sources.isEmpty else {
            return .good("Lock", "no service reports it: the session counts as unlocked")
        }
        let who = lock.sources.joined(separator: " and ")
        return .good("Lock", "the session is \(lock.isLocked ? "locked" : "unlocked"), by \(who)")
    }

    private var location: DoctorCheck? {
        guard status.location != .unknown else { return nil }
        guard let obstacle = status.location.obstacle else {
            return .good(
                "Location", "GeoClue reports it, so requests that wait for a place can fire")
        }
        return .warning(
            "Location", "requests that wait for a place do not fire: \(obstacle.reason)",
            remedy: obstacle.remedy)
    }

    /// Nil if the daemon has no push support, or if there is neither an app nor a distributor.
    private var push: DoctorCheck? {
        let push = status.push
        guard push.isSupported else { return nil }
        let name = push.distributor.isEmpty ? "no push distributor" : push.distributor
        let unreadable =
            push.unreadableCount == 0
            ? "" : "; \(push.unreadableCount) messages could not be read"
        let text =
            "\(name), \(push.endpointCount) of \(push.appCount) registered apps have an "
            + "endpoint\(unreadable)"
        guard push.appCount > 0 else {
            let found = push.available.joined(separator: ", ")
            return found.isEmpty ? nil : .good("Push", "no app is registered; found: \(found)")
        }
        guard push.problem.isEmpty, push.unreadableCount == 0 else {
            return .warning(
                "Push", push.problem.isEmpty ? text : push.problem,
                remedy: push.problem.isEmpty
                    ? "See 'journalctl --user -u tocsind': a server may use an old subscription."
                    : nil)
        }
        return .good("Push", text)
    }

    private var desktop: Desktop? {
        Desktops.row(server: status.presenter.name, vendor: status.presenter.vendor)
    }

    private var apps: [DoctorCheck] {
        var checks = permissions.filter { $0.permission?.status == .denied }.map {
            DoctorCheck.warning(
                "Denied", "\($0.app) may not notify",
                remedy: "To allow it, run: \($0.app.allowingCommand)")
        }
        if missingPrograms.contains("xdg-open") {
            checks.append(
                .warning(
                    "xdg-open",
                    "is not installed: a click cannot open a log or the target of '--open'",
                    remedy: "Install xdg-utils."))
        }
        return checks
    }

    /// The object of `--json`.
    ///
    /// If the daemon does not answer, the facts that only the daemon knows are null.
    var object: RecordValue {
        let known = refusal == nil ? status : nil
        let server = status.presenter
        return .record([
            .init("bus", bus), .init("version", known?.version),
            .init("hosting", known?.hosting), .init("store", known?.store),
            .init("pending", known?.pendingCount), .init("delivered", known?.deliveredCount),
            .init("responses", known?.responseCount),
            .init("nextFire", status.nextFire.map(zone.rfc3339)),
            .init("clock", zone.rfc3339(now)),
            .init("server", server.isAvailable ? .record(Self.members(of: server)) : .null),
            .init(
                "lock",
                known.map {
                    .record([
                        .init("locked", $0.lock.isLocked), .init("sources", $0.lock.sources),
                    ])
                } ?? .null),
            .init("location", known?.location.rawValue),
            .init("push", known.map { .record(PushStatus.record.entries(of: $0.push)) } ?? .null),
            .init("substituted", substituted.map(\.capability)),
            .init("storeSize", known == nil ? nil : store.size), .init("timeZone", zoneName),
            .init("checks", .list(checks.map(\.object))),
        ])
    }

    private static func members(of server: PresenterStatus) -> [RecordEntry] {
        [
            .init("name", server.name), .init("vendor", server.vendor),
            .init("version", server.version), .init("specification", server.specification),
            .init("capabilities", server.capabilities), .init("doNotDisturb", server.isInhibited),
        ]
    }
}

/// The checks of `tocsin doctor` for a desktop whose portal takes the notifications.
extension DoctorReport {
    var portal: DoctorCheck {
        let portal = status.presenter
        return .good(
            "Server",
            "the portal \(portal.specification), version \(portal.version), by \(portal.name)")
    }

    /// The limits of every version of the portal.
    var portalLimits: [DoctorCheck] {
        [
            .warning("Dismissals", "the portal reports none, so an app gets none"),
            .warning(
                "Expiry",
                "the desktop decides how long a popup stays, and does not report its end"),
            .warning(
                "Ended apps",
                "if an app has ended, a click starts it by D-Bus, or raises it if it runs again; "
                    + "the app does not learn which notification was clicked",
                remedy: "Keep the app running in the background, or let it reach tocsind."),
        ]
    }

    var portalIsMissing: DoctorCheck {
        .bad(
            "Server", "there is no portal on the bus",
            remedy: "Install xdg-desktop-portal and the backend of the desktop, such as "
                + "xdg-desktop-portal-gtk.")
    }
}
