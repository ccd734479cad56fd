/// One thing that is tried on every server, in this order.
enum MatrixCell: String, CaseIterable, Codable {
    /// The app's name is in the popup.
    case name
    /// The app's icon is in the popup.
    case icon
    /// The attached image is in the popup.
    case image
    /// A body that looks like markup is shown as it was written, the subtitle above it.
    case markup
    /// How many of five actions have a button.
    case buttons
    /// A click on one action comes back to the app.
    case button
    /// A click on the popup comes back as the default action.
    case body
    /// A dismissal comes back as one.
    case dismissal
    /// A popup leaves after the requested time, and the app gets no response.
    case expiry
    /// A request of the same identifier takes the popup's place.
    case replace
    /// The window of an app that runs is in front after a click on the popup.
    case windowRunning
    /// The window of an app that did not run is in front after a click has started it.
    case windowCold
    /// A typed reply comes back.
    case reply
    /// The user sees no popup while Do Not Disturb is on.
    case doNotDisturb
    /// The centre knows when Do Not Disturb is on, and when it is not.
    case silenceSeen
    /// An app that is turned off in the desktop's settings is denied, and is not asked for.
    case switchSeen
    /// An app that is denied here is turned off in the desktop's settings.
    case switchTold
    /// The server's answer to ids that it does not know.
    case unknownID
    /// The server is killed and started again: the next popup comes, and its click comes back.
    case restart
}
