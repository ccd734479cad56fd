internal import Glibc

extension ZoneFiles {
    /// The files of this system.
    public static let system = ZoneFiles(
        contents: { read($0) }, stamp: { stamp($0) }, link: { destination($0) },
        seconds: {
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
            return Int64(time.tv_sec)
        })

    /// The largest zone of tzdata has 4 KB.
    private static let largestFile = 1 << 18

    private static func read(_ path: String) -> [UInt8]? {
        // Not to hang on a pipe that somebody put there.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size <= largestFile
        else { return nil }
        var result: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 8_192)
        while result.count <= largestFile {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return result }
            result += buffer.prefix(count)
        }
        return nil
    }

    private static func stamp(_ path: String) -> Stamp? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let time = status.st_mtim
        return Stamp(
            file: [UInt64(status.st_dev), UInt64(status.st_ino)],
            changed: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec),
            size: Int64(status.st_size))
    }

    private static func destination(_ path: String) -> String? {
        let capacity = Int(PATH_MAX)
        var buffer = [CChar](repeating: 0, count: capacity)
        let count = readlink(path, &buffer, capacity)
        guard count > 0 else { return nil }
        return String(
            decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
