internal import DesktopBus

/// How long the presenter waits for what; a test makes them short, or endless.
struct Pauses: Sendable {
    /// For the answer to `Notify`, before the popup counts as shown without one.
    var answer: Duration = .seconds(30)
    /// For an answer that comes later still: it tells the id of a popup that is on the screen.
    var lateAnswer: Duration = .seconds(600)
    /// For a server to say who it is.
    var introduction: Duration = .seconds(5)
    /// Before a server is asked again that has its name and not yet its methods.
    var export: Duration = .milliseconds(50)
    /// How long what it said is believed: one server offers buttons only outside Do Not Disturb.
    var knowledge: Duration = .seconds(10)
    /// How far apart the signals of one click may be.
    var settling: Duration = .milliseconds(200)
    /// How soon after a popup came nobody can have seen and dismissed it.
    var glance: Duration = .milliseconds(500)
    /// For a server to start, and for the answer who it is; one that comes later is met then.
    var serverStart: Duration = .seconds(5)
    /// How long a server that could not be started is left alone at first.
    var start: Duration = .seconds(10)
    /// Six pauses, each twice as long as the one before.
    var startBackoff: Backoff { Backoff(first: start, longest: start * 64) }
    /// For a portal to start and say which version it has.
    var portalStart: Duration = .seconds(25)
}
