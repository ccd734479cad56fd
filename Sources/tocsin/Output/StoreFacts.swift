internal import Glibc
internal import NotificationModel

/// What can be seen of the store from outside.
struct StoreFacts: Hashable {
    /// The bytes of its files together.
    var size: Int64 = 0
    /// Its permissions; nil where there is no file.
    var mode: UInt32?
    /// Whether the notification centre could read all that waits.
    var isReadable = true
    /// How many of its notifications were damaged and are lost, by the records of the centre.
    var damagedCount = 0

    /// What is wrong with it, and what to do; nil where nothing is.
    func problem(at path: String) -> (text: String, remedy: String)? {
        guard let mode else {
            return (
                "\(path) cannot be seen",
                "Run 'systemctl --user restart tocsind', and see its log with 'journalctl --user "
                    + "-u tocsind'."
            )
        }
        if mode & 0o077 != 0 {
            return ("\(path) can be read by others", "Run 'chmod 600 \(path)'.")
        }
        guard isReadable else {
            return (
                "\(path) is damaged",
                "See 'journalctl --user -u tocsind': what can be saved is; import a backup of "
                    + "'tocsin export' otherwise."
            )
        }
        return nil
    }

    /// `12 kB`.
    static func text(size: Int64) -> String {
        size < 10_000_000 ? "\((size + 999) / 1_000) kB" : "\(size / 1_000_000) MB"
    }
}

extension StoreFacts {
    /// Looks at the files of a store, and has the centre that owns it read all that waits.
    init(of path: String, from service: any NotificationService) async {
        for suffix in ["", "-wal"] {
            var status = stat()
            guard stat(path + suffix, &status) == 0 else { continue }
            size += Int64(status.st_size)
            if suffix.isEmpty { mode = status.st_mode & 0o777 }
        }
        do throws(NotificationError) {
            _ = try await service.pending(of: nil)
            let records = try await service.records(of: nil)
            damagedCount = records.count { $0.reason == .damaged }
        } catch {
            isReadable = false
        }
    }
}
