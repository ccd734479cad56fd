/// What a member of the interface reaches, and so who may call it.
enum AccessScope: Hashable, Sendable {
    /// One app, which the call names; the empty text would be all of them.
    case oneApp
    /// Every app, or what a person decides.
    case everyApp
    /// What was sent to the caller's own connection, by its token.
    case ownToken
    /// The notification centre itself, without anything of an app.
    case centre
}
