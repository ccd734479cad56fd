/// One way in which a server differs from the specification.
///
/// The presenter asks `ServerInformation.has` whether a server has a quirk, and never compares the
/// names of servers.
public enum ServerQuirk: Hashable, Sendable, CaseIterable {
    /// The server offers the label of the `default` action among the other actions, as a button or
    /// in a menu.
    ///
    /// So we send a label only if a click does something.
    case offersDefaultByLabel
    /// The server claims `actions`, but draws no buttons: a click on the popup is the only action.
    ///
    /// So the status of the server has no `actions`, and questions are asked by a dialog. The
    /// server still gets all actions, because a later version may draw them.
    case drawsNoButtons
    /// The server draws a label with a tag as rich text, and would load the images of the label.
    ///
    /// So such a label is escaped.
    case drawsMarkupInLabels
    /// The server refuses bursts, so for each app the presenter sends one `Notify` call at a time.
    case refusesBursts
    /// The server draws the action `settings` as a separate button; pressing this button leaves the
    /// popup open.
    case hasSettingsButton
    /// The server keeps notifications of low urgency in its list, without a banner.
    case listsQuietly
    /// When the connection that posted a popup leaves the bus, the server removes the popup or its
    /// buttons.
    case forgetsSenders
    /// If a popup without `desktop-entry` times out, the server neither lists it nor reports the
    /// timeout.
    ///
    /// So the presenter sets no timeout on such a popup if a caller waits for its response.
    case dropsInSilence
    /// If a transient popup times out, the server neither lists it nor reports the timeout.
    ///
    /// So the presenter sets no timeout on such a popup if a caller waits for its response.
    case dropsTransientInSilence
    /// The server sends the signals of a popup only to the connection that posted the popup.
    ///
    /// So a new connection must post the popup again to get a response.
    case tellsSenderAlone
    /// The server sends a typed reply only to the connection that posted the popup.
    case tellsSenderAloneOfReplies
    /// The server reports replies to the connection that posted a popup first, even if another
    /// connection replaced the popup.
    ///
    /// So the presenter closes a popup of an earlier run that has a reply field, and posts it anew.
    case remembersFirstSender
    /// A popup that is replaced while it is on the screen shows the new text without any buttons.
    ///
    /// So the presenter closes a popup that has buttons, and posts it anew.
    case replacesWithoutButtons
    /// A popup that is replaced keeps the buttons of its first post, and gets no new buttons.
    ///
    /// So the presenter closes a popup, and posts it anew, if its actions change.
    case keepsFirstButtons
    /// If the user closes a popup, the server reports it as expired.
    ///
    /// So the presenter treats an expiry as a dismissal if the popup has no timeout.
    case expiresWhatIsDismissed
    /// If a transient popup times out, the server reports it as dismissed.
    ///
    /// So the presenter treats a dismissal as an expiry if the popup is transient and may time out.
    case dismissesTransient
    /// A popup with a progress bar shows only the bar: no text and no button.
    case drawsProgressAlone
    /// The server reports the invalid reason 0 for a popup that the user closed by its close
    /// button.
    case dismissesWithoutReason
    /// While Do Not Disturb is on, the server shows no popup, but reports the popup as dismissed by
    /// the user.
    case dismissesUnseen
    /// The hint `image-path` must be a path. With the URI that the specification demands, the
    /// server draws no image, or no popup.
    case takesImagesByPath
    /// The server hides texts on its lock screen if the user's setting says so.
    ///
    /// So Tocsin reads the setting, and does not hide the texts itself while the session is locked.
    case hidesWhileLocked

    /// The sentence that `tocsin doctor` prints for the quirk.
    public var sentence: String {
        switch self {
        case .offersDefaultByLabel:
            "lists the click on the popup as one more action (a button or a menu entry), "
                + "if that click does something"
        case .drawsNoButtons: "draws no buttons, although it claims to"
        case .drawsMarkupInLabels: "draws markup in the labels of buttons: Tocsin escapes it"
        case .refusesBursts: "refuses bursts: Tocsin sends one call per app at a time"
        case .hasSettingsButton: "has a button for an app's settings"
        case .listsQuietly: "shows no popup for a notification of low urgency"
        case .forgetsSenders: "removes popups or their buttons when their sender leaves the bus"
        case .dropsInSilence:
            "does not report a timeout: Tocsin sets no timeout on an awaited popup"
        case .dropsTransientInSilence:
            "does not report the timeout of a transient popup: Tocsin sets none on an awaited one"
        case .tellsSenderAlone:
            "signals a response only to the sender: Tocsin posts popups of an earlier run again"
        case .tellsSenderAloneOfReplies:
            "signals a reply only to the sender: Tocsin posts popups of an earlier run again"
        case .remembersFirstSender:
            "signals a reply to the first sender alone: Tocsin posts popups with reply fields again"
        case .replacesWithoutButtons:
            "loses the buttons of a popup that is replaced: Tocsin closes such a popup first"
        case .keepsFirstButtons:
            "keeps the first buttons of a popup that is replaced: Tocsin closes such a popup first"
        case .expiresWhatIsDismissed: "reports a dismissal as an expiry"
        case .dismissesTransient: "reports the timeout of a transient popup as a dismissal"
        case .drawsProgressAlone:
            "shows a progress bar without any text: Tocsin sends it no progress"
        case .dismissesWithoutReason: "reports a dismissal without a reason"
        case .dismissesUnseen: "reports popups that Do Not Disturb hides as dismissed"
        case .takesImagesByPath: "accepts images only by their paths"
        case .hidesWhileLocked: "hides texts on its lock screen"
        }
    }
}

/// How the servers of one desktop differ from the specification, in a range of versions.
public struct ServerTraits: Hashable, Sendable {
    /// The first version to which these traits apply.
    ///
    /// Later versions with other differences have separate traits, which list all remaining
    /// differences.
    public var since = ServerVersion()
    /// The source of each difference, or the version on which it was seen.
    public var source = ""
    /// The differences.
    public var quirks: [ServerQuirk] = []
    /// Whether the `default` action has a label.
    ///
    /// Some servers offer this action only by its label, on a button or in a list. For all other
    /// servers the label is empty, because a label would only add a button.
    public var labelsDefaultAction = false
    /// The number of actions up to which the server treats an `&` in a label as a shortcut's mark.
    ///
    /// If the popup has more actions, the server draws the `&`.
    public var mnemonicLimit = 0
    /// The switch in the server's own configuration that an announced capability needs; nil if no
    /// capability needs a switch.
    public var configuration: ServerConfiguration?
    /// The server's own name of each hint, by the name in the specification.
    public var hintNames: [String: String] = [:]
    /// The capabilities that the server claims, but does not have.
    public var falseClaims: Set<String> = []

    /// The sentences that `tocsin doctor` prints for the differences.
    public var sentences: [String] {
        let open = WordingLanguage.english.words.open
        let label =
            labelsDefaultAction ? ["shows the label '\(open)' for a click on the popup"] : []
        let names = falseClaims.sorted().joined(separator: ", ")
        let claims = names.isEmpty ? [] : ["claims what it does not have: \(names)"]
        return label + claims + ServerQuirk.allCases.filter(quirks.contains).map(\.sentence)
    }
}

/// A switch in a server's own configuration; while it is off, an announced capability fails.
///
/// The user's file counts if it exists. Otherwise the first such file of the system counts. The
/// file is JSON, and the switch is a key at its top level.
public struct ServerConfiguration: Hashable, Sendable {
    /// The capability that the switch turns on.
    public var capability: String
    /// The file below `XDG_CONFIG_HOME` and `XDG_CONFIG_DIRS`.
    public var file: String
    /// The name of the switch; a missing switch is off.
    public var key: String
}

/// The part of a server's version that is compared: numbers separated by points.
public struct ServerVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
    private let numbers: [Int]

    /// The numbers separated by points; empty for the oldest version.
    public var description: String { numbers.map(String.init).joined(separator: ".") }

    /// Reads the leading numbers, such as 46 of `46.rc`.
    ///
    /// A text without numbers is the oldest version.
    public init(_ text: String = "") {
        var numbers: [Int] = []
        for part in text.split(separator: ".", omittingEmptySubsequences: false) {
            let digits = part.prefix { $0.isASCII && $0.isNumber }
            guard let number = Int(digits) else { break }
            numbers.append(number)
            if digits.count < part.count { break }
        }
        self.numbers = numbers
    }

    /// Whether the left version is older.
    public static func < (left: ServerVersion, right: ServerVersion) -> Bool {
        left.numbers.lexicographicallyPrecedes(right.numbers)
    }
}
