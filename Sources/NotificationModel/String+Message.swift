extension String {
    /// The text in quotes for an error message: control characters shown as escapes, cut at a
    /// length, so that input can neither forge a log line nor flood it.
    package func quotedForMessage(limit: Int = 80) -> String {
        var result = "'"
        for (index, scalar) in unicodeScalars.enumerated() {
            if index == limit {
                result += "…"
                break
            }
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate:
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default:
                result.unicodeScalars.append(scalar)
            }
        }
        return result + "'"
    }
}
