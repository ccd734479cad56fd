import Foundation
import NotificationModel
import Testing

@Suite(.timeLimit(.minutes(1))) struct WholeWriteTests {
    /// If the write did not wait, it would fail as soon as the pipe is full.
    @Test func `a write to a nonblocking pipe waits for the reader`() throws {
        let pipe = Pipe()
        let (reader, writer) = (pipe.fileHandleForReading, pipe.fileHandleForWriting)
        // A child process that inherits this end would keep the pipe open.
        _ = fcntl(writer.fileDescriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(writer.fileDescriptor, F_SETFL, O_NONBLOCK)
        Thread.detachNewThread { _ = reader.readDataToEndOfFile() }
        let bytes = [UInt8](repeating: 0, count: 1_000_000)
        let isWritten = WholeWrite.send(bytes[...], to: writer.fileDescriptor)
        #expect(isWritten)
        try writer.close()
    }

    /// Without root rights, the new file belongs to the caller's group.
    ///
    /// That group must not get the rights of the old group.
    @Test func `a replaced file keeps its owner, or its new group gets the rights of other users`()
        throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "shared").path
        let isRoot = geteuid() == 0
        for (mode, modeOfOtherGroup) in [(0o660, 0o600), (0o664, 0o644), (0o646, 0o666)] {
            #expect(
                WholeWrite.replace(
                    path, by: "new", draft: path + ".new", mode: UInt32(mode),
                    owner: WholeWrite.Owner(user: 12_345, group: 12_346)))
            var status = stat()
            let isFound = stat(path, &status) == 0
            #expect(isFound)
            #expect(Int(status.st_mode) & 0o777 == (isRoot ? mode : modeOfOtherGroup))
            #expect(status.st_uid == (isRoot ? 12_345 : geteuid()))
        }
    }
}
