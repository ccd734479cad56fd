/// The part of the service that a member reaches.
///
/// This scope decides who may call the member.
enum AccessScope: Hashable, Sendable {
    /// One app, which the call names; an empty text means all apps.
    case oneApp
    /// The data of every app, or a choice that only the user may make.
    case everyApp
    /// An event that was sent to the caller's own connection; the call names the event's token.
    case ownToken
    /// The notification centre itself; the call names no app.
    case centre
}
