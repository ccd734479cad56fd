/// The version of a server, as far as versions are compared: numbers with points between them.
struct ServerVersion: Hashable, Comparable {
    private let numbers: [Int]

    /// Reads the numbers at the beginning, such as 46 of `46.rc`.
    ///
    /// Where there are none it is the oldest version.
    init(_ text: String = "") {
        var numbers: [Int] = []
        for part in text.split(separator: ".", omittingEmptySubsequences: false) {
            let digits = part.prefix { $0.isASCII && $0.isNumber }
            guard let number = Int(digits) else { break }
            numbers.append(number)
            if digits.count < part.count { break }
        }
        self.numbers = numbers
    }

    static func < (left: ServerVersion, right: ServerVersion) -> Bool {
        left.numbers.lexicographicallyPrecedes(right.numbers)
    }
}
