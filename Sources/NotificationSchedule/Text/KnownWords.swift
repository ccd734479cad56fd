internal import NotificationModel

/// Words that may be used, to name the one that was probably meant.
package enum KnownWords {
    /// The nearest of them; nil where none is near.
    package static func hint(for word: String, among words: [String]) -> String? {
        let near = words.map { (word: $0, distance: distance(word, $0)) }
            .min { $0.distance < $1.distance }
        guard let near, near.distance <= (word.count <= 4 ? 1 : 2) else { return nil }
        return near.word
    }

    // Levenshtein's distance in which two letters in the wrong order are one mistake (optimal string
    // alignment), one row at a time; words are short, longer input is cut.
    static func distance(_ left: String, _ right: String) -> Int {
        let left = Array(left.prefix(32))
        let right = Array(right.prefix(32))
        var former: [Int] = []
        var row = Array(0...right.count)
        for (i, a) in left.enumerated() {
            var next = [i + 1]
            for (j, b) in right.enumerated() {
                var cost = min(next[j] + 1, row[j + 1] + 1, row[j] + (a == b ? 0 : 1))
                if i > 0, j > 0, a == right[j - 1], b == left[i - 1] {
                    cost = min(cost, former[j - 1] + 1)
                }
                next.append(cost)
            }
            (former, row) = (row, next)
        }
        return row[right.count]
    }
}
