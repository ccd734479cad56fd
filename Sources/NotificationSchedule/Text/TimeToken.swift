/// One word of a time text, in lower case, with its place in the text.
struct TimeToken: Hashable {
    var text: String
    var range: Range<Int>

    /// The words of a text: what blanks and commas separate.
    static func split(_ text: String) -> [TimeToken] {
        var tokens: [TimeToken] = []
        var word = ""
        var start = 0
        for (index, character) in text.enumerated() {
            if character.isWhitespace || character == "," {
                if !word.isEmpty {
                    tokens.append(TimeToken(text: word.lowercased(), range: start..<index))
                }
                word = ""
            } else {
                if word.isEmpty { start = index }
                word.append(character)
            }
        }
        if !word.isEmpty {
            tokens.append(TimeToken(text: word.lowercased(), range: start..<text.count))
        }
        return tokens
    }

    /// The parts of the word that are numbers, `1.5`, and the parts that are not, `h`.
    func splitAtDigits() -> [TimeToken] {
        var parts: [TimeToken] = []
        var wasNumber = false
        for (index, character) in text.enumerated() {
            let isNumber = character.isASCII && (character.isNumber || character == ".")
            let place = range.lowerBound + index
            if isNumber == wasNumber, var last = parts.popLast() {
                last.text.append(character)
                last.range = last.range.lowerBound..<place + 1
                parts.append(last)
            } else {
                parts.append(TimeToken(text: String(character), range: place..<place + 1))
            }
            wasNumber = isNumber
        }
        return parts
    }
}
