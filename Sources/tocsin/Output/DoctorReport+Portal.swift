internal import NotificationModel

/// What `tocsin doctor` says where notifications go through the desktop's portal.
extension DoctorReport {
    /// The portal that is there.
    var portal: DoctorCheck {
        let portal = status.presenter
        return DoctorCheck(
            .good, "Server",
            "the portal \(portal.specification), version \(portal.version), by \(portal.name)")
    }

    /// What no version of it can do.
    var portalLimits: [DoctorCheck] {
        [
            DoctorCheck(
                .warning, "Dismissals", "the portal tells of none: an app does not hear of them"),
            DoctorCheck(
                .warning, "Expiry", "the desktop decides how long a popup stays, and does not tell"),
            DoctorCheck(
                .warning, "Ended apps",
                "a click raises an app that has ended and come back, or has D-Bus start it; "
                    + "the app is not told which notification it was",
                remedy: "Keep the app running in the background, or let it reach tocsind."),
        ]
    }

    /// The portal that should be there.
    var portalIsMissing: [DoctorCheck] {
        [
            DoctorCheck(
                .bad, "Server", "there is no portal on the bus",
                remedy: "Install xdg-desktop-portal and the backend of the desktop, such as "
                    + "xdg-desktop-portal-gtk.")
        ]
    }
}
