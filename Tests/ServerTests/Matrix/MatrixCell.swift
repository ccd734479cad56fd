/// A trial; every server goes through all trials in this order.
enum MatrixCell: String, CaseIterable, Codable {
    /// The app's name is in the popup.
    case name
    /// The app's icon is in the popup.
    case icon
    /// The attached image is in the popup.
    case image
    /// The popup shows markup in the body as plain text, below the subtitle.
    case markup
    /// The number of buttons for five actions.
    case buttons
    /// A click on an action reaches the app.
    case button
    /// A click on the popup reaches the app as the default action.
    case body
    /// A dismissal reaches the app as a dismissal.
    case dismissal
    /// A popup leaves after the requested time, and the app gets no response.
    case expiry
    /// A request of the same identifier takes the popup's place.
    case replace
    /// The window of an app that runs is in front after a click on the popup.
    case windowRunning
    /// The window of an app that did not run is in front after a click has started it.
    case windowCold
    /// A typed reply reaches the app.
    case reply
    /// The user sees no popup while Do Not Disturb is on.
    case doNotDisturb
    /// The centre knows when Do Not Disturb is on, and when it is not.
    case silenceSeen
    /// An app that the user turns off in the desktop's settings is denied without a question.
    case switchSeen
    /// An app that the user denies in the prompt is turned off in the desktop's settings.
    case switchTold
    /// The server's answer to ids that it does not know.
    case unknownID
    /// After a crash and restart, the server shows the next popup, and its click reaches the app.
    case restart
}
