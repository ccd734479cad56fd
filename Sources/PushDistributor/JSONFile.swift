internal import Foundation
internal import Glibc
internal import NotificationModel

/// A value as JSON in a file that only its owner can read.
struct JSONFile {
    let path: String

    /// Reads the value; nil if there is no file.
    func read<Value: Decodable>() throws -> Value? {
        do {
            return try JSONDecoder().decode(
                Value.self, from: Data(contentsOf: URL(filePath: path)))
        } catch CocoaError.fileReadNoSuchFile {
            return nil
        }
    }

    /// Writes the value to the disk, whole or not at all; `isPretty` adds line breaks.
    func write(_ value: some Encodable, isPretty: Bool = false) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
        let text = String(decoding: try encoder.encode(value), as: UTF8.self)
        try FileManager.default.createDirectory(
            at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
        guard
            WholeWrite.replace(
                path, by: isPretty ? text + "\n" : text, draft: path + ".new", mode: 0o600)
        else { throw POSIXError(POSIXError.Code(rawValue: errno) ?? .EIO) }
    }

    /// The reason of an error, without its full stop, because the caller's message goes on.
    static func reason(of error: any Error) -> String {
        let text =
            switch error {
            case let error as POSIXError: String(cString: strerror(error.code.rawValue))
            case let error as DecodingError: "\(error)"
            default: error.localizedDescription
            }
        return text.trimmingCharacters(in: CharacterSet(charactersIn: "."))
    }
}
