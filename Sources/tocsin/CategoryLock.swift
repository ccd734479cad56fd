internal import Glibc

/// Keeps two runs of the tool from writing the set of categories at once; it ends with the object.
///
/// Categories are replaced as a whole set, so reading, adding and writing belong together. Without
/// `XDG_RUNTIME_DIR` there is no lock, and two simultaneous runs may lose a set of buttons.
final class CategoryLock {
    private let descriptor: Int32

    init(_ environment: ToolEnvironment) {
        let directory = environment.variable("XDG_RUNTIME_DIR") ?? ""
        descriptor =
            directory.hasPrefix("/")
            ? open(
                directory + "/tocsin-categories.lock",
                O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) : -1
        if descriptor >= 0 { flock(descriptor, LOCK_EX) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }
}
