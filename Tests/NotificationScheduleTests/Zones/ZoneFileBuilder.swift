/// Writes TZif files, including faulty ones.
struct ZoneFileBuilder {
    var version: Int
    var times: [Int64]
    var kinds: [UInt8]
    var types: [(offset: Int32, isDaylight: Bool, name: UInt8)]
    var names: String
    var footer = ""

    func bytes() -> [UInt8] {
        guard version >= 2 else { return header(full: true) + data(width: 4) }
        return header(full: false) + header(full: true) + data(width: 8)
            + Array("\n\(footer)\n".utf8)
    }

    private func header(full: Bool) -> [UInt8] {
        var bytes = Array("TZif".utf8)
        bytes.append(version < 2 ? 0 : UInt8(48 + version))
        bytes += [UInt8](repeating: 0, count: 15)
        let counts =
            full ? [0, 0, 0, times.count, types.count, names.utf8.count] : [0, 0, 0, 0, 0, 0]
        return bytes + counts.flatMap { Self.number(Int64($0), width: 4) }
    }

    private func data(width: Int) -> [UInt8] {
        var bytes = times.flatMap { Self.number($0, width: width) } + kinds
        for type in types {
            bytes += Self.number(Int64(type.offset), width: 4)
            bytes += [type.isDaylight ? 1 : 0, type.name]
        }
        return bytes + Array(names.utf8)
    }

    private static func number(_ value: Int64, width: Int) -> [UInt8] {
        (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
