import Foundation

/// An event in a run of the kill loop; its position in the list is the order.
enum KillEvent: Sendable {
    /// An add returned; one that is due becomes a popup soon, the others in a day.
    case added(String, isDue: Bool)
    /// An add failed with its daemon: it may have been done or not.
    case maybeAdded(String)
    /// A removal returned when the server had got this many calls.
    case removed(String, calls: Int)
    /// A removal failed with its daemon.
    case maybeRemoved(String)
    /// A snooze by a day returned when the server had got this many calls.
    case snoozed(String, calls: Int)
    /// A snooze by a day failed with its daemon.
    case maybeSnoozed(String)
    /// The store of a killed daemon was damaged: an index, and no row.
    case damaged
    /// A repeating request was added, for each minute's second.
    case repeating(String, second: Int, at: Date)
    /// The server got a call for this title.
    case shown(String, at: Date)
    case clicked(KillClick)
    /// The daemon that was there at this click has answered enough calls to have stored it.
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
    /// The connection of the daemon that had posted it.
    let poster: String
    /// The daemon that was on the bus, counted from 1; nil while there was none.
    let life: Int?
}
