public import ArgumentParser
public import NotificationModel

/// `tocsin settings`: shows which apps may notify, and stores the user's decisions about them.
///
/// After a decision, it reads the app's settings from the centre again and prints them. It stores
/// no decision for an unknown id that is probably a typing mistake.
struct SettingsCommand: ParsableCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "Show which apps may notify; allow or silence one, or open its settings.",
        discussion: """
            tocsin settings org.example.News --deny
            tocsin settings --all

            Without an app, lists the apps that the notification centre knows: apps that asked \
            for permission, that you decided about, or that have notified. With '--all', also \
            lists the apps that have a desktop file. Swift apps and apps in a sandbox have to ask \
            you first. Other apps may notify until you deny it.

            If the desktop has its own switch for the app, a decision sets that switch, too. After \
            that, only the switch counts, and the list shows later changes of it.

            '--previews' says when popups show the app's texts: 'always', 'when-unlocked' or \
            'never'. A popup without texts shows the app's name and the placeholder of the \
            category. With 'when-unlocked', the texts come back when the session is unlocked.

            '--allow-location' and '--deny-location' decide whether the app may know where the \
            device is. The column LOCATION appears when you have decided about an app's location.

            '--push-distributor' chooses the program through which all apps get remote \
            notifications. Give the part of its bus name after 'org.unifiedpush.Distributor.', or \
            'auto' to let the notification centre choose.
            """)

    @Argument(
        help: ArgumentHelp("The id of the app's desktop file.", valueName: "app"),
        completion: .shellCommand("tocsin settings --all --ids --plain 2>/dev/null"))
    var appID: String?

    @Flag(exclusivity: .exclusive) var decision: PermissionDecision?

    @Option("When the app's texts are shown.", value: "when", parsing: .next)
    var previews: PreviewsOption?

    @Flag(help: "Opens the desktop's settings, on the page of the app if there is one.")
    var open = false

    @Option(
        "The push distributor of all apps, or 'auto'.", value: "name", parsing: .next)
    var pushDistributor: String?

    @Flag(help: "Lists the apps that have a desktop file, too.")
    var all = false

    @Flag(help: "Prints the ids alone.")
    var ids = false

    @Flag(
        help: ArgumentHelp(
            "Leaves out ids that need quotes in a shell.", visibility: .hidden))
    var plain = false

    @Flag(help: "Prints one JSON object a line.")
    var json = false

    func validate() throws {
        guard decision == nil && previews == nil && !open || appID != nil else {
            throw ValidationError("The app is missing; give its id, as 'tocsin settings' lists it")
        }
        guard decision == nil && previews == nil || !open else {
            throw ValidationError("'--open' shows the settings; give it without a decision")
        }
        guard pushDistributor == nil || appID == nil && !(all || ids) else {
            throw ValidationError(
                "'--push-distributor' is about every app; give it without an app or a list")
        }
        guard appID == nil || !(all || ids) else {
            throw ValidationError("'--all' and '--ids' are about every app; leave the app out")
        }
        try ValidationError.check(ids, "--ids", excludes: json, "--json")
    }

    func run(in environment: ToolEnvironment) async throws {
        let app = try appID.map(AppSelection.id)
        let center = try await CenterClient.open(environment)
        if let pushDistributor { return try await choose(pushDistributor, with: center) }
        if open, let app { return try await center.service.openNotificationSettings(of: app) }
        let known = try await center.service.permissions()
        guard let app else { return try print(known, in: environment) }
        if decision != nil || previews != nil {
            try check(app, among: known, in: environment)
            if let decision { try await center.service.decide(decision, for: app) }
            if let previews {
                try await center.service.setPreviews(previews.previews, of: app)
            }
        }
        if let entry = try await center.service.permissions().first(where: { $0.app == app }) {
            return try print([PermissionRow(entry)])
        }
        let installed = InstalledApps(in: environment).apps.first { $0.id == app }
        var row = installed.map { PermissionRow($0) } ?? PermissionRow(app: app)
        row.previews = try await center.service.settings(of: app).previews
        try print([row])
    }

    private func choose(_ name: String, with center: CenterClient) async throws {
        try await center.service.choosePushDistributor(name == "auto" ? nil : name)
        let push = try await center.status().push
        if json {
            return try Output.line(
                RecordValue.record(PushStatus.record.entries(of: push)).text)
        }
        let used = push.distributor.isEmpty ? "none found" : push.distributor
        try Output.write(
            push.chosen.isEmpty
                ? "Push distributor: \(used) (automatic)\n" : "Push distributor: \(push.chosen)\n")
    }

    /// Throws if the id is unknown and the user probably meant another id.
    ///
    /// For any other unknown id it only warns, because the app may be installed later.
    private func check(
        _ app: ApplicationID, among known: [ApplicationPermission],
        in environment: ToolEnvironment
    ) throws(ToolError) {
        guard !known.contains(where: { $0.app == app }) else { return }
        let installed = InstalledApps(in: environment)
        guard !installed.apps.contains(where: { $0.id == app }) else { return }
        let problem =
            "no app \(app.rawValue.quotedForMessage()) is known: it has not notified, and no "
            + "desktop file has this id."
        if let meant = installed.idMeant(by: app, known: known) {
            throw ToolError.failure(
                "\(problem) Did you mean \(meant.quotedForMessage())? Nothing was changed; 'tocsin "
                    + "settings --all' lists the ids.")
        }
        let isReset = decision == .reset && previews == nil
        Output.warn(
            isReset
                ? "tocsin: \(problem) No decision about it is kept; 'tocsin settings --all' lists "
                    + "the ids."
                : "tocsin: \(problem) Your decision is kept for an app with this id; '--reset' "
                    + "removes the decision, and 'tocsin settings --all' lists the ids.")
    }

    private func print(
        _ known: [ApplicationPermission], in environment: ToolEnvironment
    ) throws(ToolError) {
        var rows = known.map { PermissionRow($0) }
        if all {
            let ids = Set(rows.map(\.app))
            let others = InstalledApps(in: environment).apps.filter {
                $0.isShown && !ids.contains($0.id)
            }
            rows += others.map { PermissionRow($0) }
            rows.sort { $0.app.rawValue < $1.app.rawValue }
        }
        if ids {
            try Output.identifiers(rows.map(\.app.rawValue), isPlain: plain)
        } else if rows.isEmpty, !json {
            Output.warn(
                "No app has notified or asked for permission. 'tocsin settings --all' lists those "
                    + "that are installed.")
        } else {
            try print(rows)
        }
    }

    private func print(_ rows: [PermissionRow]) throws(ToolError) {
        if json {
            try Output.lines(rows.map(\.object.text))
        } else {
            try Output.write(PermissionRow.table(rows))
        }
    }
}

/// Each decision about an app is a flag with the decision's name.
extension PermissionDecision: EnumerableFlag {
    /// The help for the flag of a decision.
    public static func help(for value: PermissionDecision) -> ArgumentHelp? {
        switch value {
        case .allow: "Allows the app to notify."
        case .deny: "Forbids the app to notify; due notifications of the app are not shown."
        case .reset: "Forgets your decisions and '--previews'; the app asks again."
        case .allowLocation: "Allows the app to know where the device is."
        case .denyLocation:
            "Forbids the app to know the location; its requests that wait for a region do not fire."
        }
    }
}

/// The values of `--previews`: when an app's texts are shown.
enum PreviewsOption: String, ExpressibleByArgument, CaseIterable {
    case always
    case whenUnlocked = "when-unlocked"
    case never

    var previews: ShowPreviews {
        switch self {
        case .always: .always
        case .whenUnlocked: .whenAuthenticated
        case .never: .never
        }
    }
}

struct PermissionRow {
    var app: ApplicationID
    var name = ""
    /// Nil if the app may notify without asking, or if it is unknown whether the app has to ask.
    var permission: Permission?
    /// Nil in a list if only a desktop file names the app.
    var previews: ShowPreviews?
    /// Whether only a desktop file names the app, and the centre does not know the app.
    ///
    /// Such an app is known to need permission only if it is in a sandbox.
    var isInstalledOnly = false

    private static let optionNames: [(Permission.Options, String)] = [
        (.alert, "alert"), (.sound, "sound"), (.badge, "badge"),
    ]

    private var options: [String] {
        Self.optionNames.filter { permission?.options.contains($0.0) == true }.map(\.1)
    }

    private var status: String {
        switch permission?.status {
        case nil where isInstalledOnly: "allowed, unless it asks first"
        case nil: "allowed, needs no permission"
        case .notDetermined: "not asked yet"
        case .denied: "denied"
        case .authorized: "allowed"
        case .provisional: "allowed quietly"
        }
    }

    private var location: String {
        switch permission?.location {
        case .notDetermined?, nil: ""
        case .denied?: "denied"
        case .always?, .whenInUse?: "allowed"
        }
    }

    private var texts: String {
        switch previews {
        case .whenAuthenticated?: "when unlocked"
        case let others: others?.name ?? ""
        }
    }

    /// The object of `--json`; its status is named as on the bus, or is `notNeeded` or `unknown`.
    var object: RecordValue {
        // The key is missing while the user has not decided about the app's location.
        let answer = location.isEmpty ? nil : permission?.location.name
        return .record(
            [
                .init("app", app.rawValue), .init("name", name),
                .init(
                    "status", permission?.status.name ?? (isInstalledOnly ? "unknown" : "notNeeded")
                ),
                .init("options", options), .init("previews", previews?.name),
            ] + (answer.map { [.init("location", $0)] } ?? []))
    }

    static func table(_ rows: [PermissionRow]) -> String {
        let showsLocation = rows.contains { !$0.location.isEmpty }
        return TextTable(
            heading: ["APP", "NAME", "ASKED FOR", "NOTIFICATIONS", "TEXTS"]
                + (showsLocation ? ["LOCATION"] : []),
            rows: rows.map {
                [$0.app.rawValue, $0.name, $0.options.joined(separator: " "), $0.status, $0.texts]
                    + (showsLocation ? [$0.location] : [])
            }
        ).text
    }
}

extension PermissionRow {
    init(_ entry: ApplicationPermission) {
        self.init(
            app: entry.app, name: entry.name, permission: entry.permission,
            previews: entry.previews)
    }

    init(_ installed: InstalledApps.App) {
        self.init(
            app: installed.id, name: installed.name,
            permission: installed.isSandboxed ? Permission() : nil, isInstalledOnly: true)
    }
}
