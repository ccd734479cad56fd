internal import CoreLocation
package import NotificationModel

extension UNUserNotificationCenter {
    /// Makes the app's location services, which read the user's permission from this centre.
    package func makeLocationServices() -> (any LocationServices)? {
        source.location(
            LocationPermissions { [weak self] in
                guard let self else { return .notDetermined }
                return try await call(stores: false) { connected throws(NotificationError) in
                    try await connected.service.settings(of: connected.application)
                        .permission?.location ?? .notDetermined
                }
            } request: { [weak self] always in
                guard let self else { return .notDetermined }
                return try await call(stores: false) { connected throws(NotificationError) in
                    try await connected.service.requestLocation(
                        always: always, for: connected.application)
                }
            })
    }
}

/// Gives CoreLocation the app's location services; CoreLocation calls this function by its C name.
///
/// CoreLocation cannot import this module, because this module imports CoreLocation.
@_cdecl("tocsin_provide_location")
func provideLocation() {
    LocationProvider.provide(UNUserNotificationCenter.current().makeLocationServices())
}
