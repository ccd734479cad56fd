/// The part of the service that a member reaches, which decides who may call it.
enum AccessScope: Hashable, Sendable {
    /// One app, which the call names; an empty text means all apps.
    case oneApp
    /// Every app, or a decision of the user.
    case everyApp
    /// An event that was sent to the caller's own connection, named by its token.
    case ownToken
    /// The notification centre itself, and nothing of an app.
    case centre
}
