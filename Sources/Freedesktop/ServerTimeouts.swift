internal import DesktopBus

/// The timeouts and delays of a presenter; a test makes them short or endless.
package struct ServerTimeouts: Sendable {
    /// The timeouts for a real server.
    package init() {}

    /// The timeout of `Notify`; a post that is unanswered after this time counts as shown.
    package var answer: Duration = .seconds(30)
    /// The time after the call of `Notify` in which a late answer still brings the popup's id.
    package var lateAnswer: Duration = .seconds(600)
    /// The timeout for a server to identify itself.
    package var introduction: Duration = .seconds(5)
    /// The delay before the next question to a server that owns its name but lacks its methods.
    package var export: Duration = .milliseconds(50)
    /// The time after which known capabilities are read again before a post.
    ///
    /// Capabilities can change: one server claims no buttons while Do Not Disturb is on.
    package var knowledge: Duration = .seconds(10)
    /// The longest time between the signals of one click.
    package var settling: Duration = .milliseconds(200)
    /// The time in which the user cannot have seen and dismissed a new popup.
    package var glance: Duration = .milliseconds(500)
    /// The timeout for a server to start and identify itself.
    ///
    /// A server that takes longer is identified later.
    package var serverStart: Duration = .seconds(5)
    /// The first delay after a server could not be started, and the delay after the bus refused to
    /// pass on the server's signals.
    package var start: Duration = .seconds(10)
    var startBackoff: Backoff { Backoff(first: start, longest: start * 64) }
    /// The timeout for a portal to start and report its version.
    package var portalStart: Duration = .seconds(25)
}
