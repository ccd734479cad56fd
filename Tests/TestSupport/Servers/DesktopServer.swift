/// One notification server as packaged: how to run it, and how a person uses what it shows.
///
/// Servers differ by rows of `ServerCatalog`, never by code that asks for a name.
package struct DesktopServer: Sendable {
    /// What must happen on the screen to reach something.
    package enum Gesture: Sendable {
        /// A click on the push button with the action's label.
        case button
        /// A click on the text of the popup.
        case text
        /// A click into the window of this class.
        case window(String, Pointer.Button)
        /// A click into the window of this class; its menu program then picks the label.
        case menu(String, Pointer.Button)
    }

    /// How the server's program is found.
    package enum Program: Sendable {
        /// By name on PATH, with arguments; `@` stands for the folder of its files.
        case named(String, [String])
        /// As the D-Bus service file of this name says: the path differs between architectures.
        case service(String)
    }

    /// Something that not every server puts on the screen.
    package enum Drawing: Sendable {
        case image
        case buttons
    }

    /// Its name, which is also that of the Debian package.
    package let name: String
    /// What to install.
    package let packages: [String]
    /// What to run.
    package let program: Program
    /// Service files its bus must offer; any more could start another server.
    package let services: [String]
    /// Its configuration, by file name; `@` stands for the folder.
    package let files: [String: String]
    /// How an action is chosen.
    package let action: Gesture
    /// How `default` is chosen.
    package let defaultAction: Gesture
    /// How a popup is dismissed.
    package let dismissal: Gesture
    /// What it draws.
    package let draws: Set<Drawing>
    /// Whether choosing an action closes the popup, with a signal.
    package let actionCloses: Bool
}
