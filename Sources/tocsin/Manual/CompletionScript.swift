/// The completions of a shell as the argument parser makes them, and what it leaves out: the names
/// of the commands behind `help`.
enum CompletionScript {
    private static let zshStub = "'*:subcommands:'"
    private static let bashStub = "_tocsin_help() {\n"
    private static let fishOffer = "complete -c 'tocsin' -n '__tocsin_should_offer_completions_for_"

    /// The whole script; text of another form stays as it is.
    static func completed(_ script: String, commands: [String]) -> String {
        let names = commands.joined(separator: " ")
        if script.hasPrefix("#compdef") {
            return script.replacing(zshStub, with: "'*:subcommands:(\(names))'")
        }
        if script.contains(fishOffer) {
            let line = "\(fishOffer)positional \"tocsin help\" -ge 1' -fa '\(names)'\n"
            return script.hasSuffix("\n") ? script + line : script + "\n" + line
        }
        return script.replacing(
            bashStub,
            with: bashStub + "    COMPREPLY+=($(compgen -W '\(names)' -- \"${cur}\"))\n")
    }
}
