import Foundation
import TestSupport
import Testing

/// Exports through links, the owner of the exported file, and the errors.
@Suite(.timeLimit(.minutes(5))) struct ExportFileTests {
    private let bus: PrivateBus

    init() throws {
        bus = try PrivateBus()
    }

    private func export(to path: String) async throws -> ProgramTests.Run {
        try await ProgramTests.run("tocsin", ["export", path], environment: bus.environment)
    }

    /// If the file's owner changed, an export by root would give a user's private file to root.
    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func `an export keeps the user, the group and the mode of a file`() async throws {
        let file = "\(bus.directory)/backup.jsonl"
        try #require(FileManager.default.createFile(atPath: file, contents: nil))
        try #require(chown(file, 12_345, 12_346) == 0 && chmod(file, 0o660) == 0)
        let run = try await export(to: file)
        #expect(run.status == 0, "\(run.errors)")
        var status = stat()
        let isFound = stat(file, &status) == 0
        #expect(isFound)
        #expect(status.st_uid == 12_345 && status.st_gid == 12_346)
        #expect(status.st_mode & 0o777 == 0o660)
    }

    /// If the tool repaired the name, the export would go to a new folder with the repaired name.
    @Test func `an export to a link into a folder whose name is not UTF-8 is refused`()
        async throws
    {
        let bytes = "\(bus.directory)/".utf8.map { CChar(bitPattern: $0) } + [-1]
        let folder = bytes + [0]
        let file = bytes + "/backup.jsonl".utf8.map { CChar(bitPattern: $0) } + [0]
        try #require(mkdir(folder, 0o700) == 0)
        defer {
            unlink(file)
            rmdir(folder)
        }
        let direct = "\(bus.directory)/direct.jsonl"
        try #require(symlink(folder, "\(bus.directory)/folder") == 0 && symlink(file, direct) == 0)
        // Only the folder of this path is a link.
        let first = try await export(to: "\(bus.directory)/folder/backup.jsonl")
        #expect(first.status == 0, "\(first.errors)")
        let second = try await export(to: direct)
        #expect(second.status == 1)
        #expect(second.errors.contains("Give a path without a link"), "\(second.errors)")
        #expect(access("\(bus.directory)/\u{FFFD}", F_OK) != 0)
    }

    /// If the tool made the folder, a backup to a disk that is not mounted would go there.
    @Test func `an export into a folder that does not exist is refused, and makes no folder`()
        async throws
    {
        let folder = "\(bus.directory)/disk"
        let run = try await export(to: folder + "/backup.jsonl")
        #expect(run.status == 1)
        #expect(
            run.errors.contains(
                "could not be written: No such file or directory. Make its directory first"),
            "\(run.errors)")
        #expect(access(folder, F_OK) != 0)
    }

    @Test func `an export that fails leaves no empty file at the target of a link`() async throws {
        // The name has the maximum length, so the system refuses the longer name of the draft.
        let target = "\(bus.directory)/" + String(repeating: "x", count: 255)
        let link = "\(bus.directory)/link.jsonl"
        try #require(symlink(target, link) == 0)
        let run = try await export(to: link)
        #expect(run.status == 1)
        #expect(
            run.errors.contains("Check the permissions of the file and of its directory."),
            "\(run.errors)")
        #expect(access(target, F_OK) != 0)
    }
}
