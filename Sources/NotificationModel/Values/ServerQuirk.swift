/// One way in which a server differs from the specification.
///
/// The presenter asks `ServerInformation.has` for the quirk and never for the name of a server.
public enum ServerQuirk: Hashable, Sendable, CaseIterable {
    /// The label of the `default` action is something to choose besides the other actions, a button or
    /// what a click takes in their place: it is there only where a click does something.
    case offersDefaultByLabel
    /// It refuses bursts, so that one call of an app has to end before its next begins.
    case refusesBursts
    /// It draws the action `settings` as a button of its own, which leaves the popup there.
    case hasSettingsButton
    /// It keeps what is of low urgency in its list without a banner.
    case listsQuietly
    /// Popups go, or lose their buttons, when the connection that posted them leaves.
    case forgetsSenders
    /// A popup without `desktop-entry` that times out is listed nowhere, and no signal says that it
    /// left: one whose answer somebody waits for must not time out.
    case dropsInSilence
    /// Signals go to the connection that posted a popup, so that a new one has to post it again to
    /// hear of its answer.
    case tellsSenderAlone
    /// The same, of replies that are typed into a popup.
    case tellsSenderAloneOfReplies
    /// It tells of replies the connection that posted a popup first, also when another one has
    /// replaced it since, so that one of an earlier run is closed and posted anew.
    case remembersFirstSender
    /// A popup that is replaced while it is on the screen shows the new text without any buttons, so
    /// that one with buttons is closed and posted anew.
    case replacesWithoutButtons
    /// It reports a popup that a person closed as one that expired, which it can only be where the
    /// popup may expire.
    case expiresWhatIsDismissed
    /// A popup with a bar of progress shows nothing but the bar: no text and no button.
    case drawsProgressAlone
    /// It reports 0, which is no reason, for a popup whose cross the user clicked.
    case dismissesWithoutReason
    /// It reports a hidden popup as dismissed by the user at once, because Do Not Disturb is on.
    case dismissesUnseen
    /// `image-path` has to be a path: given the URI of the specification it draws no picture, or no
    /// popup at all.
    case takesPicturesByPath
    /// It keeps texts from its lock screen by itself, by the switch that we read, so that ours would
    /// hide them a second time.
    case hidesWhileLocked

    /// The sentence that `tocsin doctor` prints for it.
    public var sentence: String {
        switch self {
        case .offersDefaultByLabel:
            "offers the click among the buttons, where a click does something"
        case .refusesBursts: "refuses bursts: one call of an app at a time"
        case .hasSettingsButton: "has a button for an app's settings"
        case .listsQuietly: "shows no popup of what is of low urgency"
        case .forgetsSenders: "takes popups or their buttons away when their sender leaves the bus"
        case .dropsInSilence: "does not say that a popup left: an awaited one stays"
        case .tellsSenderAlone:
            "tells only the sender of an answer: popups of an earlier run are posted again"
        case .tellsSenderAloneOfReplies:
            "tells only the sender of a reply: popups of an earlier run are posted again"
        case .remembersFirstSender:
            "tells the first sender of a reply: such popups are closed first"
        case .replacesWithoutButtons:
            "loses the buttons of a popup that is replaced: such popups are closed first"
        case .expiresWhatIsDismissed: "reports a dismissal as an expiry"
        case .drawsProgressAlone: "shows a bar of progress without any text: it gets none"
        case .dismissesWithoutReason: "reports a dismissal without a reason"
        case .dismissesUnseen: "reports a dismissal of what Do Not Disturb hides"
        case .takesPicturesByPath: "takes pictures by their paths alone"
        case .hidesWhileLocked: "hides texts on its lock screen by itself"
        }
    }
}

/// How the servers of one desktop differ from the specification, in a range of versions.
public struct ServerTraits: Hashable, Sendable {
    /// The first version that this is for.
    ///
    /// The row of a later version says again what stays, and leaves out what that has no more.
    public var since = ServerVersion()
    /// Where each difference is written, or on which version it was seen.
    public var source = ""
    /// The differences.
    public var quirks: [ServerQuirk] = []
    /// The label of the `default` action: a text where the server shows it in a list or on a
    /// button, empty where a label would draw a button that nobody wants.
    public var defaultActionLabel = ""
    /// The switch of its own configuration without which it does not do all that it says.
    public var configuration: ServerConfiguration?
    /// The names under which it looks for hints that have another name in the specification.
    public var hintNames: [String: String] = [:]

    /// The sentences that `tocsin doctor` prints for them.
    public var sentences: [String] {
        let label =
            defaultActionLabel.isEmpty ? [] : ["the click has a label, '\(defaultActionLabel)'"]
        return label + ServerQuirk.allCases.filter(quirks.contains).map(\.sentence)
    }
}

/// A switch in a server's own configuration without which it does not do what it says it can.
///
/// The user's file counts and otherwise the system's first; JSON with the switch at the top.
public struct ServerConfiguration: Hashable, Sendable {
    /// The capability that the switch turns on.
    public var capability: String
    /// The file below `XDG_CONFIG_HOME` and `XDG_CONFIG_DIRS`.
    public var file: String
    /// The name of the switch; where it is missing it is off.
    public var key: String
}

/// The version of a server, as far as versions are compared: numbers with points between them.
public struct ServerVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
    private let numbers: [Int]

    /// The numbers with points between them; empty for the oldest version.
    public var description: String { numbers.map(String.init).joined(separator: ".") }

    /// Reads the numbers at the beginning, such as 46 of `46.rc`.
    ///
    /// Where there are none it is the oldest version.
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

    /// Whether the left one is older.
    public static func < (left: ServerVersion, right: ServerVersion) -> Bool {
        left.numbers.lexicographicallyPrecedes(right.numbers)
    }
}
