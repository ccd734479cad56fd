/// One notification server as packaged: how to run it, and how the user uses its popups.
///
/// It owns one row of `ServerCatalog`.
///
/// It promises that its row is enough for a test to run on the server. It never needs code that
/// checks a server's name.
package struct DesktopServer: Sendable {
    /// A user's gesture on the screen, such as a click on a button.
    package enum Gesture: Sendable {
        /// A click on the push button with the action's label.
        case button
        /// A click on the push button with this label.
        case named(String)
        /// A click on the text of the popup.
        case text
        /// A click at this distance from the centre of the popup's summary.
        case beside(x: Int, y: Int)
        /// A slow click on the popup's nameless button, by a pointer already on the popup.
        case cross
        /// A slow click on this place, by a pointer already on the popup.
        case place(ScreenPoint)
        /// A click into the window of this class.
        case window(String, PointerButton)
        /// A click into the window of this class; its menu program then picks the label.
        case menu(String, PointerButton)
        /// A click on the popup's colour.
        case color(PointerButton)
        /// A click on the popup's colour; its menu program then picks the label.
        case colorMenu(PointerButton)
    }

    /// The way to see the popups.
    package enum Sight: Sendable {
        /// The widgets of assistive technologies, with positions relative to `origin`.
        ///
        /// A popup has a widget with the role `summary`, whose text is the summary.
        case widgets(
            origin: ScreenPoint = ScreenPoint(x: 0, y: 0), summary: Widget.Role = .label)
        /// Assistive technologies cannot read the popup, but it is the only window of this class.
        case window(String)
        /// Assistive technologies cannot read the popup, but only popups have this colour.
        case color(String)
        /// Assistive technologies cannot read the popup, but a text reader finds its words in this
        /// part of the screen.
        case printed(ScreenArea)
        /// Parts of GNOME Shell's scene.
        case shell
    }

    /// The way to find the server's program.
    package enum Program: Sendable {
        /// By name on PATH, with arguments; `@` stands for the folder of its files.
        case named(String, [String])
        /// The program in the D-Bus service file of this name: the path differs between
        /// architectures.
        case service(String)
        /// One of these paths, for programs that only a desktop's session starts.
        case path([String])
    }

    /// A part that not every server draws.
    package enum Drawing: Sendable {
        case image
        case buttons
    }

    /// The way in which the user turns on Do Not Disturb.
    package enum Silence: Sendable {
        /// A command each for on and off.
        case command(on: [String], off: [String])
        /// A script in GNOME Shell each for on and off.
        case shell(on: String, off: String)
        /// A client that holds an inhibition, as Plasma's own switch does.
        case inhibition
    }

    /// The user's switch for the app `org.tocsin.Test`, in the desktop's settings.
    package struct AppSwitch: Sendable {
        /// The commands that turn it.
        package let on: [String], off: [String]
        /// The command that reads the switch, and its output while the switch is off.
        package let reading: [String], isOffAt: String
    }

    /// The session that a server runs in.
    package struct Session: Sendable {
        /// The screen that it draws on.
        package enum Display: Sendable {
            /// The screen of an X server.
            case x11
            /// The screen of sway, without a monitor.
            case sway
            /// The screen of KWin, in a window of an X server.
            case kwin
            /// The screen of the server itself, GNOME Shell.
            case shell
        }

        /// The screen that it draws on.
        package var display = Display.x11
        /// A window manager and its arguments, started before the server.
        ///
        /// It is empty if the screen or the server manages windows.
        package var windowManager: [String] = []
        /// Whether its programs need a system bus; they get an empty private one.
        package var hasSystemBus = false
        /// Additional environment variables.
        package var variables: [String: String] = [:]
        /// The push button whose appearance shows that the desktop is complete.
        package var landmark: String?
    }

    /// The name of the server and of its Debian package.
    package let name: String
    /// The Debian packages to install.
    package let packages: [String]
    /// The program to run.
    package let program: Program
    /// The service files that the bus must offer; any other file could start another server.
    package let services: [String]
    /// Service files that the bus offers, too, if they are installed.
    package var extraServices: [String] = []
    /// The texts of the server's files, by file name; `@` stands for their folder.
    package let files: [String: String]
    /// Commands that set up the server, run before each start.
    package var settings: [[String]] = []
    /// The session that it runs in.
    package var session = Session()
    /// The way to see its popups.
    package var sight = Sight.widgets()
    /// The gesture that chooses an action.
    package let action: Gesture
    /// The gesture that chooses `default`.
    package let defaultAction: Gesture
    /// The gesture that dismisses a popup.
    package let dismissal: Gesture
    /// The way in which the user turns on Do Not Disturb; nil if the desktop has none.
    package var silence: Silence?
    /// The desktop's switch for an app; nil if the desktop has none.
    package var appSwitch: AppSwitch?
    /// Whether a popup stays on the screen after its client has closed it.
    package var keepsWhatIsClosed = false
    /// Whether the background of a popup shows through its images.
    package var isTranslucent = false
    /// Whether a popup appears before its colours do.
    package var fadesIn = false
    /// Whether a test can read the summary of its popups.
    package var tellsSummary: Bool {
        switch sight {
        case .shell, .widgets, .printed: true
        case .window, .color: false
        }
    }
    /// Whether a test can read all text of its popups, rather than only see it.
    package var tellsText: Bool {
        switch sight {
        case .shell: true
        case .widgets(_, let summary): summary == .label
        case .window, .color, .printed: false
        }
    }
    /// The parts of a popup that it draws.
    package let draws: Set<Drawing>
    /// Whether choosing an action closes the popup, with a signal.
    package let actionCloses: Bool
}
