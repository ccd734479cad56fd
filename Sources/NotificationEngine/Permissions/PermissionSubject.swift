import NotificationModel

/// The subject of a question to the user about an app.
enum PermissionSubject: Hashable, CaseIterable {
    /// Whether the app may notify.
    case notifications
    /// Whether the app may know where the device is.
    case location

    /// The identifier of the question's popup; no request can have it.
    ///
    /// A request's identifier is not empty, and `org.tocsin.location` is reserved.
    var identifier: String {
        switch self {
        case .notifications: ""
        case .location: "org.tocsin.location"
        }
    }

    var purpose: String {
        switch self {
        case .notifications: "Permission to notify"
        case .location: "Permission to know the location"
        }
    }

    init?(identifier: String) {
        guard let subject = Self.allCases.first(where: { $0.identifier == identifier }) else {
            return nil
        }
        self = subject
    }
}

extension Permission.Options {
    /// The app may know the location at any time; only the location's `PermissionMachine` uses
    /// this.
    static let locationAlways = Permission.Options(rawValue: 1 << 32)
}

extension LocationPermission {
    /// Reads the record of the location's `PermissionMachine`; a nil record is undecided.
    init(_ record: Permission?) {
        self =
            switch record?.status {
            case .notDetermined, nil: .notDetermined
            case .denied: .denied
            case .authorized, .provisional:
                record?.options.contains(.locationAlways) == true ? .always : .whenInUse
            }
    }

    /// The record for the location's `PermissionMachine`.
    var record: Permission {
        switch self {
        case .notDetermined: Permission()
        case .denied: Permission(.denied)
        case .whenInUse: Permission(.authorized)
        case .always: Permission(.authorized, options: .locationAlways)
        }
    }
}
