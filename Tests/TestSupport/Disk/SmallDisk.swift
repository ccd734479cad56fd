internal import Foundation
internal import Glibc

/// A tmpfs of a few megabytes.
package struct SmallDisk: Sendable {
    /// The folder on which the disk is mounted.
    package let path: String

    /// Whether this user may mount a disk; only root may, and not in every container.
    package static let isPossible: Bool = {
        guard geteuid() == 0, let disk = try? SmallDisk(megabytes: 1) else { return false }
        disk.unmount()
        return true
    }()

    /// Mounts a disk, which exists until `unmount()`.
    package init(megabytes: Int) throws {
        path = FileManager.default.temporaryDirectory.path + "/tocsin-disk-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(megabytes)m,mode=700") == 0 else {
            let reason = String(cString: strerror(errno))
            rmdir(path)
            throw HarnessError("mount: \(reason)")
        }
    }

    /// Fills the disk to its last page.
    package func fill() throws {
        // Without `O_CLOEXEC`, a program that another test starts now would inherit the file. The
        // space would then stay in use after the file is removed.
        let file = open(path + "/ballast", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(file) }
        let chunk = [UInt8](repeating: 1, count: 4_096)
        while write(file, chunk, chunk.count) == chunk.count {}
        guard errno == ENOSPC else { throw HarnessError("the disk did not fill up") }
    }

    /// Frees the space that `fill()` took.
    package func empty() throws {
        try FileManager.default.removeItem(atPath: path + "/ballast")
    }

    /// Forbids or allows all changes; forbidding fails if a file is open for writing.
    package func set(isReadOnly: Bool) throws {
        let flags = UInt(MS_REMOUNT) | (isReadOnly ? UInt(MS_RDONLY) : 0)
        guard mount("tmpfs", path, "tmpfs", flags, nil) == 0 else {
            throw HarnessError("mount: \(String(cString: strerror(errno)))")
        }
    }

    /// Removes the disk, with all that is on it.
    package func unmount() {
        umount2(path, Int32(MNT_DETACH))
        rmdir(path)
    }
}
