package import NotificationModel

extension NotificationRegion {
    package init(_ region: CLCircularRegion) {
        self.init(
            identifier: region.identifier, latitude: region.center.latitude,
            longitude: region.center.longitude, radius: region.radius,
            onEntry: region.notifyOnEntry, onExit: region.notifyOnExit)
    }

    package var circle: CLCircularRegion {
        let circle = CLCircularRegion(
            center: CLLocationCoordinate2D(latitude: latitude, longitude: longitude),
            radius: radius, identifier: identifier)
        circle.notifyOnEntry = onEntry
        circle.notifyOnExit = onExit
        return circle
    }
}

extension CLAuthorizationStatus {
    /// Nil means that there are no location services: the status is then `denied`, as on a device
    /// whose location is turned off.
    init(_ state: LocationState?) {
        self =
            switch state?.permission {
            case .notDetermined: .notDetermined
            case .whenInUse: .authorizedWhenInUse
            case .always: .authorizedAlways
            case .denied, nil: .denied
            }
    }
}

extension CLRegionState {
    init(isInside: Bool?) {
        self =
            switch isInside {
            case true?: .inside
            case false?: .outside
            case nil: .unknown
            }
    }
}

extension CLError {
    init(from failure: LocationFailure) {
        self.init(failure == .unknown ? Code.locationUnknown : Code.denied)
    }
}

extension CLLocation {
    convenience init(_ fix: LocationFix) {
        let accuracy = fix.accuracy > 0 ? fix.accuracy : LocationFix.unknownAccuracy
        self.init(
            coordinate: CLLocationCoordinate2D(latitude: fix.latitude, longitude: fix.longitude),
            altitude: fix.altitude ?? 0, horizontalAccuracy: accuracy,
            // GeoClue does not state the vertical accuracy.
            verticalAccuracy: fix.altitude == nil ? -1 : accuracy,
            course: fix.course ?? -1, speed: fix.speed ?? -1,
            timestamp: fix.date.map { Date(timeIntervalSince1970: $0.secondsSince1970) } ?? Date())
    }
}

extension LocationNeed.Precision {
    init(_ accuracy: CLLocationAccuracy) {
        self =
            switch accuracy {
            case kCLLocationAccuracyThreeKilometers...: .city
            case kCLLocationAccuracyKilometer...: .neighborhood
            case kCLLocationAccuracyHundredMeters...: .street
            default: .exact
            }
    }
}
