internal import CenterInterface
internal import DesktopBus
internal import Foundation
internal import Freedesktop
internal import NotificationModel

enum PresenterChoice: String, Hashable, Sendable {
    /// The desktop's notification server itself.
    case freedesktop
    /// The desktop's portal, which passes the notifications to the server.
    case portal

    /// Makes the presenter; `session` gives the environment of programs with a window.
    func presenter(
        on connection: BusConnection, in language: WordingLanguage,
        session: @escaping @Sendable () async -> [String: String]
    ) -> any NotificationPresenter {
        switch self {
        case .freedesktop:
            FreedesktopPresenter(connection: connection, language: language, session: session)
        case .portal: PortalPresenter(connection: connection, language: language)
        }
    }
}

extension Configuration {
    /// The presenter that `TOCSIN_PRESENTER` names: `portal` or `freedesktop`.
    ///
    /// Without the variable, a Flatpak gets the portal, because its filtered bus may hide the
    /// server. Any other program gets the server.
    var presenterChoice: PresenterChoice {
        environment["TOCSIN_PRESENTER"].flatMap(PresenterChoice.init)
            ?? (FileManager.default.fileExists(atPath: FlatpakInfo.path) ? .portal : .freedesktop)
    }
}
