internal import CGio
public import NotificationModel
internal import Reactor

/// Opens addresses and files in the app that the user has chosen for them.
public struct LinkOpener: Sendable {
    private let environment: [String: String]

    /// Makes an opener; its programs run in this environment.
    public init(environment: [String: String]) {
        self.environment = environment
    }

    /// Whether addresses of this scheme can be opened.
    ///
    /// This needs an installed program that opens addresses, such as xdg-open. Except for `file`,
    /// it also needs an installed app for the scheme.
    public func canOpen(scheme: String) -> Bool {
        command != nil && (scheme == "file" || cgio_opens_scheme(scheme))
    }

    /// Opens an address; returns when the program that opens addresses has started.
    ///
    /// - Throws: `noSettings` if no such program is installed or it does not start.
    public func open(_ address: String) throws(NotificationError) {
        guard let command else {
            throw NotificationError(
                .noSettings,
                "\(address.quotedForMessage()) could not be opened: no program that opens "
                    + "addresses is installed. Install the package xdg-utils.")
        }
        do {
            try Subprocess.detach(
                command + [address], environment: environment,
                directory: environment["HOME"] ?? "/")
        } catch {
            throw NotificationError(
                .noSettings,
                "\(address.quotedForMessage()) could not be opened by "
                    + "\(command[0].quotedForMessage()): \(error). Check that this program runs "
                    + "in a terminal.")
        }
    }

    private var command: [String]? {
        let search = ProgramSearch(environment: environment)
        for words in Desktops.openers {
            if let path = search.path(of: words[0]) { return [path] + words.dropFirst() }
        }
        return nil
    }
}
