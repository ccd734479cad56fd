/// What became of an imported line or event.
enum ImportOutcome: Hashable {
    /// It is on disk, under this identifier.
    case taken(String)
    /// It was not taken; the message names its line.
    case refused(ToolError)
}
