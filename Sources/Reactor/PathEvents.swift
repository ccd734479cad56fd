internal import Glibc

/// The events of a file or of a folder, as inotify(7) reports them.
package struct PathEvents: OptionSet, Sendable, Hashable {
    /// The bits of inotify(7).
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    private init(_ bits: Int32) {
        rawValue = UInt32(bits)
    }

    /// A file or folder was made in the folder.
    package static let created = Self(IN_CREATE)
    /// A file or folder was renamed into the folder.
    package static let movedIn = Self(IN_MOVED_TO)
    /// A file or folder was renamed out of the folder.
    package static let movedOut = Self(IN_MOVED_FROM)
    /// A file or folder was removed from the folder.
    package static let deleted = Self(IN_DELETE)
    /// A writer closed the file, or a file in the folder.
    package static let written = Self(IN_CLOSE_WRITE)
    /// The attributes of the file, or of a file in the folder, changed.
    ///
    /// The number of links is an attribute, so this event also reports that another file was
    /// renamed over this file.
    package static let attributesChanged = Self(IN_ATTRIB)
    /// The watched file or folder itself was removed.
    package static let selfDeleted = Self(IN_DELETE_SELF)
    /// The watched file or folder itself was renamed.
    package static let selfMoved = Self(IN_MOVE_SELF)

    /// The watch has ended, because its file or folder is gone; every watch reports this event.
    package static let ended = Self(IN_IGNORED)
    /// Events were missed, so anything may have happened; every watch reports this event.
    package static let missed = Self(IN_Q_OVERFLOW)
}
