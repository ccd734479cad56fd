/// The exported objects by path.
struct ExportTree {
    private var objects: [String: ExportedObject] = [:]

    subscript(path: ObjectPath) -> ExportedObject? {
        get { objects[path.rawValue] }
        set { objects[path.rawValue] = newValue }
    }

    func object(at path: String) -> ExportedObject? { objects[path] }

    /// The names of the nodes directly below a path, sorted; nil if there is nothing at all.
    func children(of path: String) -> [String]? {
        let prefix = path == "/" ? "/" : path + "/"
        var names: Set<String> = []
        for other in objects.keys
        where other.hasPrefix(prefix) && other.utf8.count > prefix.utf8.count {
            let rest = other.dropFirst(prefix.count)
            names.insert(String(rest.prefix { $0 != "/" }))
        }
        if names.isEmpty, objects[path] == nil { return nil }
        return names.sorted()
    }
}
