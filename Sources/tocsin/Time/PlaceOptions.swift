internal import ArgumentParser
internal import NotificationModel
internal import NotificationSchedule

/// The place of a notification, which is shown when the device enters or leaves that place.
struct PlaceOptions: ParsableArguments {
    @Option("When the device comes near this place, in degrees.", value: "lat,lon")
    var near: String?

    @Option("The radius around the place, in metres.", value: "metres")
    var radius: String?

    @Flag(help: "Shows the notification when the device leaves the place instead.")
    var onExit = false

    /// The name of a given option that needs `--near`; nil if no such option is given.
    private var dependent: String? {
        radius != nil ? "--radius" : onExit ? "--on-exit" : nil
    }

    func validate() throws {
        if near == nil, let dependent {
            throw ValidationError("'\(dependent)' needs a place; add '--near lat,lon'")
        }
        if near != nil, radius == nil {
            throw ValidationError("The radius is missing; give one such as '--radius 200'")
        }
    }

    /// The region of the options; nil if no place is given.
    func region() throws(ToolError) -> NotificationRegion? {
        guard let near, let radius else { return nil }
        return try translatingErrors {
            let (latitude, longitude) = try Self.coordinates(near)
            return NotificationRegion(
                identifier: near, latitude: latitude, longitude: longitude,
                radius: try Self.radius(radius), onEntry: !onExit, onExit: onExit)
        }
    }

    private static func coordinates(_ text: String) throws(TimeTextError) -> (Double, Double) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            throw TimeTextError(
                text: text, range: 0..<max(1, text.count),
                problem: "\(text.quotedForMessage()) is no place",
                remedy: "give degrees north and degrees east, such as 52.52,13.405")
        }
        let start = parts[0].count + 1
        return (
            try number(
                parts[0], in: text, from: 0, "a latitude", -90...90,
                "give degrees north of the equator, from -90 to 90"),
            try number(
                parts[1], in: text, from: start, "a longitude", -180...180,
                "give degrees east of Greenwich, from -180 to 180")
        )
    }

    private static func radius(_ text: String) throws(TimeTextError) -> Double {
        let remedy = "give metres from 1 to \(Limits.radius.most), such as 200"
        let least = Double(Limits.radius.range.lowerBound)
        return try number(
            text[...], in: text, from: 0, "a radius", least...Double(Limits.radius.most), remedy)
    }

    private static func number(
        _ part: Substring, in text: String, from start: Int, _ what: String,
        _ bounds: ClosedRange<Double>, _ remedy: String
    ) throws(TimeTextError) -> Double {
        let word = part.drop { $0 == " " }
        if let number = Double(word), bounds.contains(number) { return number }
        let begin = start + part.count - word.count
        throw TimeTextError(
            text: text, range: begin..<(begin + max(1, word.count)),
            problem: "\(String(word).quotedForMessage()) is not \(what)", remedy: remedy)
    }
}

extension NotificationRegion {
    /// `on entering 200 m around 52.52,13.405`.
    var text: String { "\(event) \(placeText)" }

    /// `on entering`, `on leaving` or both.
    var event: String {
        switch (onEntry, onExit) {
        case (true, true): "on entering and leaving"
        case (false, true): "on leaving"
        default: "on entering"
        }
    }

    /// `200 m around 52.52,13.405`.
    var placeText: String {
        "\(Self.text(radius)) m around \(Self.text(latitude)),\(Self.text(longitude))"
    }

    private static func text(_ number: Double) -> String {
        Int64(exactly: number).map(String.init) ?? "\(number)"
    }
}
