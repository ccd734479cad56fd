@_exported public import Foundation

/// An angle in degrees.
public typealias CLLocationDegrees = Double
/// A distance in metres.
public typealias CLLocationDistance = Double
/// A precision in metres; negative if it is unknown.
public typealias CLLocationAccuracy = Double
/// A direction in degrees from north; negative if it is unknown.
public typealias CLLocationDirection = Double
/// A speed in metres per second; negative if it is unknown.
public typealias CLLocationSpeed = Double

/// The filter that reports each place.
public let kCLDistanceFilterNone: CLLocationDistance = -1

/// The largest distance.
public let CLLocationDistanceMax: CLLocationDistance = .greatestFiniteMagnitude
/// The highest precision, for navigation.
public let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = -2
/// The highest precision.
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1
/// Ten metres.
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10
/// A hundred metres.
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100
/// A kilometre.
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1_000
/// Three kilometres.
public let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 3_000
/// Only the approximate area: GeoClue reports the city.
///
/// Apple does not state the number; here it is larger than all other precisions.
public let kCLLocationAccuracyReduced: CLLocationAccuracy = 20_000
