import NotificationModel

/// A delivered notification on its way back to the screen, or with its texts to the popup it has.
struct Restoration: Hashable, Sendable {
    /// Its row in the store, by which a later one of the same identifier is told from it.
    var row: Int64
    var key: NotificationKey
    /// Whether its popup is there, with its texts hidden.
    var isHidden = false
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
