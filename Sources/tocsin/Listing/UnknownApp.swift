internal import NotificationModel
internal import NotificationSchedule

/// An app's id that nothing is known of: written wrong, or of an app that comes later.
struct UnknownApp {
    private var app: ApplicationID
    /// The id that was probably meant.
    private var meant: String?

    init(
        _ app: ApplicationID, known: [ApplicationPermission], installed: [InstalledApps.App]
    ) {
        self.app = app
        let all =
            known.map { ($0.app.rawValue, $0.name) }
            + installed.filter(\.isShown).map { ($0.id.rawValue, $0.name) }
        let word = app.rawValue.lowercased()
        // Whoever does not know the id writes what is on the screen, or the id's last part.
        meant =
            all.first { id, name in
                let id = id.lowercased()
                return id == word || name.lowercased() == word || id.hasSuffix("." + word)
            }?.0 ?? KnownWords.hint(for: app.rawValue, among: all.map(\.0))
    }

    private var problem: String {
        "no app \(app.rawValue.quotedForMessage()) is known: it has not notified, and no desktop file "
            + "has this id."
    }

    /// Why nothing is decided; nil where no other can have been meant.
    var refusal: ToolError? {
        meant.map {
            ToolError(
                .failure,
                "\(problem) Did you mean \($0.quotedForMessage())? Nothing was changed; 'tocsin "
                    + "settings --all' lists the ids.")
        }
    }

    /// What a person is told who decides about it.
    var warning: String {
        "tocsin: \(problem) What you decided is kept for an app of this id; '--reset' takes it back, "
            + "and 'tocsin settings --all' lists the ids."
    }
}
