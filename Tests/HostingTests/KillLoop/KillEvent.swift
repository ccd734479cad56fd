import Foundation

/// An event in a run of the kill loop; the list of events keeps their order.
enum KillEvent: Sendable {
    /// An add returned; the request is due soon if `isDue`, and otherwise in a day.
    case added(String, isDue: Bool)
    /// An add failed because its daemon died: the request may be stored or not.
    case maybeAdded(String)
    /// A removal returned after the server had received this many calls.
    case removed(String, calls: Int)
    /// A removal failed because its daemon died.
    case maybeRemoved(String)
    /// A snooze by a day returned after the server had received this many calls.
    case snoozed(String, calls: Int)
    /// A snooze by a day failed because its daemon died.
    case maybeSnoozed(String)
    /// The loop damaged an index in the store of a killed daemon, but no row.
    case damaged
    /// A repeating request was added; it fires at this second of each minute.
    case repeating(String, second: Int, at: Date)
    /// The server received a call with this title.
    case shown(String, at: Date)
    case clicked(KillClick)
    /// After the click the daemon has answered enough calls, so it has stored the click.
    case heard(popup: UInt32)
    /// The app got a response.
    case answered(id: Int64, String)
    /// The acknowledgement of a response returned.
    case acknowledged(id: Int64)
    /// A daemon was killed, and left this store.
    case killed(StoreAutopsy, at: Date)
}

/// One action of the user.
struct KillClick: Sendable {
    enum Kind: CaseIterable, Sendable {
        case action
        case standard
        case dismissal
    }

    let title: String
    let popup: UInt32
    let kind: Kind
    /// The connection of the daemon that had posted the popup.
    let poster: String
    /// The daemon that was on the bus, counted from 1; nil while there was none.
    let life: Int?
}
