/// A notification server from Debian's packages: how to run it, and how a user uses its popups.
///
/// It is one row of `ServerCatalog`. A test that runs on the server needs no other fact about the
/// server, and no test checks a server's name.
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
        /// A slow click on the popup's close button, after the pointer has moved onto the popup.
        ///
        /// The button has no label. Some servers draw it only while the pointer is on the popup.
        case cross
        /// A slow click on this point of the screen, after the pointer has moved onto the popup.
        case place(ScreenPoint)
        /// A click into the window of this class.
        case window(String, PointerButton)
        /// A click into the window of this class, which opens a menu, and a choice in the menu.
        ///
        /// A script stands in for the menu. It chooses the entry with the label that the test wrote
        /// to a file.
        case menu(String, PointerButton)
        /// A click on a pixel that has the colour of `Sight.color`.
        case color(PointerButton)
        /// A click as for `color`, which opens a menu, and a choice in the menu as for `menu`.
        case colorMenu(PointerButton)
    }

    /// The way to see the popups.
    package enum Sight: Sendable {
        /// The widgets as assistive technologies see them, with positions relative to `origin`.
        ///
        /// A popup has a widget with the role `summary`, whose text is the summary.
        case widgets(
            origin: ScreenPoint = ScreenPoint(x: 0, y: 0), summary: Widget.Role = .label)
        /// Assistive technologies cannot read the popup, but it is the only window of this class.
        case window(String)
        /// Assistive technologies cannot read the popup, but only popups have this colour.
        case color(String)
        /// Assistive technologies cannot read the popup, but tesseract finds its words in this
        /// part of the screen.
        case printed(ScreenArea)
        /// Parts of GNOME Shell's scene.
        case shell
    }

    /// The way to find the server's program.
    package enum Program: Sendable {
        /// By name on PATH, with arguments; `@` stands for the folder of the server's files.
        case named(String, [String])
        /// The program in the D-Bus service file of this name: the path differs between
        /// architectures.
        case service(String)
        /// One of these paths, for programs that only a desktop's session starts.
        case path([String])
    }

    /// A part of a popup that only some servers draw.
    package enum Drawing: Sendable {
        case image
        case buttons
    }

    /// The way in which the user turns on Do Not Disturb.
    package enum Silence: Sendable {
        /// One command for on, and one for off.
        case command(on: [String], off: [String])
        /// One script in GNOME Shell for on, and one for off.
        case shell(on: String, off: String)
        /// A client that holds an inhibition, as Plasma's own switch does.
        case inhibition
    }

    /// The user's switch for the app `org.tocsin.Test`, in the desktop's settings.
    package struct AppSwitch: Sendable {
        /// The commands that turn the switch on and off.
        package let on: [String], off: [String]
        /// The command that reads the switch, and its output while the switch is off.
        package let reading: [String], isOffAt: String
    }

    /// The session that a server runs in.
    package struct Session: Sendable {
        /// The kind of screen that the server draws on.
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

        package var display = Display.x11
        /// A window manager and its arguments, started before the server.
        ///
        /// It is empty if the screen or the server manages windows.
        package var windowManager: [String] = []
        /// Whether the session has a system bus, which is private and empty.
        package var hasSystemBus = false
        /// Additional environment variables.
        package var variables: [String: String] = [:]
        /// The push button that appears when the desktop is complete.
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
    /// The session that the server runs in.
    package var session = Session()
    /// The way to see the server's popups.
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
    /// Whether popups fade in; a click on a fading popup is lost.
    package var fadesIn = false
    /// Whether a test can read the summary of its popups.
    package var tellsSummary: Bool {
        switch sight {
        case .shell, .widgets, .printed: true
        case .window, .color: false
        }
    }
    /// Whether a test can read all text of the server's popups.
    package var tellsText: Bool {
        switch sight {
        case .shell: true
        case .widgets(_, let summary): summary == .label
        case .window, .color, .printed: false
        }
    }
    /// The parts of a popup that the server draws.
    package let draws: Set<Drawing>
    /// Whether choosing an action closes the popup, with a signal.
    package let actionCloses: Bool
}
