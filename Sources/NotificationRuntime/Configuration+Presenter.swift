internal import CenterInterface
internal import DesktopBus
internal import Foundation
internal import Freedesktop
internal import NotificationModel

/// The way to the screen.
enum PresenterChoice: String, Hashable, Sendable {
    /// The desktop's notification server itself.
    case freedesktop
    /// The desktop's portal, which speaks to the server.
    case portal

    /// The presenter; `session` is the environment of programs with a window.
    func presenter(
        on connection: BusConnection, session: @escaping @Sendable () async -> [String: String]
    ) -> any NotificationPresenter {
        switch self {
        case .freedesktop: FreedesktopPresenter(connection: connection, session: session)
        case .portal: PortalPresenter(connection: connection)
        }
    }
}

extension Configuration {
    /// The way to the screen: `TOCSIN_PRESENTER`, which is `portal` or `freedesktop`; otherwise the
    /// portal inside a Flatpak, whose bus may not reach the server.
    var presenterChoice: PresenterChoice {
        environment["TOCSIN_PRESENTER"].flatMap(PresenterChoice.init)
            ?? (FileManager.default.fileExists(atPath: FlatpakInfo.path) ? .portal : .freedesktop)
    }
}
