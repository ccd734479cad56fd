import NotificationModel

/// A delivered notification on its way back to the screen, or with its texts to the popup it has.
struct Restoration: Hashable, Sendable {
    /// Its row in the store, by which a later one of the same identifier is told from it.
    var row: Int64
    var key: NotificationKey
    var cause = Cause.lost

    /// Why it is posted again.
    enum Cause: Hashable, Sendable {
        /// Its server lost it.
        case lost
        /// Its popup is there, with its texts hidden.
        case hidden
        /// Its popup is there, and its server would tell nobody of an answer, or of a reply alone.
        case unheard(repliesAlone: Bool)
    }
}

/// What became of a popup that came back.
enum Placement: Hashable, Sendable {
    /// It is stored which popup it is.
    case placed
    /// The notification was answered or removed meanwhile.
    case gone
    /// Another one of the same identifier was delivered meanwhile, whose popup it is.
    case replaced
}
