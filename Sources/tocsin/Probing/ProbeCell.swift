/// One question of the article "Supported desktops", in the order of its columns.
enum ProbeCell: String, CaseIterable {
    case name
    case icon
    case image
    case markup
    case buttons
    case button
    case body
    case dismissal
    case reply
    case expiry
    case windowRunning
    case windowCold
    case replace
    case doNotDisturb
    case restart
    case unknownID
    case silenceSeen
    case switchSeen
    case switchTold

    /// The heading of its column.
    var title: String {
        switch self {
        case .name: "app’s name"
        case .icon: "app’s icon"
        case .image: "picture"
        case .markup: "text as written"
        case .buttons: "buttons of 5"
        case .button: "button"
        case .body: "the popup itself"
        case .dismissal: "dismissal"
        case .reply: "typed reply"
        case .expiry: "leaves in time"
        case .windowRunning: "app running"
        case .windowCold: "app not running"
        case .replace: "replaced in place"
        case .doNotDisturb: "Do Not Disturb"
        case .restart: "server killed"
        case .unknownID: "an unknown id is"
        case .silenceSeen: "Do Not Disturb is known"
        case .switchSeen: "an app that is off there"
        case .switchTold: "an app that is denied here"
        }
    }
}
