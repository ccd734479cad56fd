/// The part of the service that a call of a member can read or change.
///
/// This scope decides who may call the member.
enum AccessScope: Hashable, Sendable {
    /// The app that the call names; an empty name means all apps.
    ///
    /// A sandboxed app may name only itself.
    case oneApp
    /// The data of every app, or a choice that only the user may make.
    case everyApp
    /// An event that was sent to the caller's own connection; the call names the event's token.
    case ownToken
    /// The notification centre itself; the call names no app.
    case centre
}
