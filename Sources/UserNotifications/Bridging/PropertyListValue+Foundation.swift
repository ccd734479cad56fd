package import NotificationModel

extension [String: PropertyListValue] {
    /// Converts user info to the model; the error names the first value that cannot be stored.
    package init(userInfo: [AnyHashable: Any]) throws(NotificationError) {
        self = try PropertyListValue.dictionary(userInfo, at: [])
    }

    /// The values in Apple's form.
    ///
    /// Numbers are `NSNumber`, so that `as? Int` and `as? Double` both work.
    package var foundationObjects: [AnyHashable: Any] {
        var result: [AnyHashable: Any] = [:]
        for (key, value) in self { result[key] = value.foundationObject }
        return result
    }
}

extension PropertyListValue {
    var foundationObject: Any {
        switch self {
        case .string(let value): value
        case .integer(let value): NSNumber(value: value)
        case .real(let value): NSNumber(value: value)
        case .boolean(let value): NSNumber(value: value)
        case .date(let value, let nanoseconds): Date(value, nanoseconds: nanoseconds)
        case .data(let value): Data(value)
        case .array(let values): values.map(\.foundationObject)
        case .dictionary(let values): values.foundationObjects
        }
    }

    fileprivate static func dictionary(
        _ values: [AnyHashable: Any], at path: [String]
    ) throws(NotificationError) -> [String: PropertyListValue] {
        // The user info itself is one level. The limit also ends the recursion into an object that
        // contains itself.
        guard path.count < maximumDepth else {
            throw unusable(path, "it nests deeper than \(maximumDepth) levels")
        }
        var result: [String: PropertyListValue] = [:]
        for (key, value) in values {
            guard let name = key.base as? String else {
                throw unusable(
                    path, "its key \("\(key.base)".quotedForMessage()) is not a string")
            }
            result[name] = try made(of: value, at: path + [name])
        }
        return result
    }

    private static func made(
        of value: Any, at path: [String]
    ) throws(NotificationError) -> PropertyListValue {
        switch value {
        case let value as String: return .string(value)
        case let value as CGFloat: return .real(Double(value))
        case let value as NSNumber: return try number(value, at: path)
        case let value as Data: return .data(Array(value))
        case let value as Date:
            guard let date = exactDate(value) else {
                throw unusable(path, "the date is out of range")
            }
            return date
        case let values as [AnyHashable: Any]: return .dictionary(try dictionary(values, at: path))
        case let values as [Any]: return .array(try array(values, at: path))
        default:
            throw unusable(path, "a \(type(of: value)) is no property-list value")
        }
    }

    private static func array(
        _ values: [Any], at path: [String]
    ) throws(NotificationError) -> [PropertyListValue] {
        guard path.count < maximumDepth else {
            throw unusable(path, "it nests deeper than \(maximumDepth) levels")
        }
        var result: [PropertyListValue] = []
        for (index, value) in values.enumerated() {
            result.append(try made(of: value, at: path + ["\(index)"]))
        }
        return result
    }

    // The date must stay equal, because an app may compare it with the date of its own object. So
    // this function does not use `timeIntervalSince1970`, which rounds. If the nearest microsecond
    // gives an equal `Date`, no nanoseconds are stored.
    private static func exactDate(_ date: Date) -> PropertyListValue? {
        let seconds = date.timeIntervalSinceReferenceDate
        let whole = seconds.rounded(.down)
        guard whole.isFinite, abs(whole) < 9.2e12 else { return nil }
        let nanoseconds = Int64(((seconds - whole) * 1e9).rounded())
        let start = Instant(seconds: Int64(whole) + Date.referenceSeconds)
        let nearest = start.adding(microseconds: (nanoseconds + 500) / 1_000)
        if Date(nearest, nanoseconds: 0) == date { return .date(nearest) }
        return .date(
            start.adding(microseconds: nanoseconds / 1_000), nanoseconds: Int(nanoseconds % 1_000))
    }

    // Finds the number's original type: a cast would turn 1 into true and 2.0 into 2. Foundation
    // has one shared object for true and one for false, so identity distinguishes true from 1.
    // `objCType` distinguishes floating-point numbers from integers.
    private static func number(
        _ number: NSNumber, at path: [String]
    ) throws(NotificationError) -> PropertyListValue {
        if number === NSNumber(value: true) { return .boolean(true) }
        if number === NSNumber(value: false) { return .boolean(false) }
        switch String(cString: number.objCType) {
        case "f", "d": return .real(number.doubleValue)
        default:
            guard let value = Int64(exactly: number) else {
                throw unusable(path, "\(number) does not fit a signed 64-bit integer")
            }
            return .integer(value)
        }
    }

    private static func unusable(_ path: [String], _ reason: String) -> NotificationError {
        let place = path.isEmpty ? "" : " at \(path.joined(separator: ".").quotedForMessage())"
        return NotificationError(
            .invalidArgument,
            "The user info\(place) cannot be kept: \(reason). Use strings, numbers, dates, data, "
                + "and arrays and dictionaries of them with string keys.")
    }
}

extension Date {
    /// The seconds from 1970 to 2001, because `Date` counts from 2001.
    fileprivate static let referenceSeconds = Int64(Date.timeIntervalBetween1970AndReferenceDate)

    fileprivate init(_ instant: Instant, nanoseconds: Int) {
        let fraction = Double(instant.fraction * 1_000 + Int64(nanoseconds)) / 1e9
        self.init(
            timeIntervalSinceReferenceDate:
                Double(instant.wholeSeconds - Self.referenceSeconds) + fraction)
    }
}
