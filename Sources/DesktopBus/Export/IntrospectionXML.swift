/// The description of an object in the format of the D-Bus specification.
struct IntrospectionXML {
    private var text = """
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
        <node>

        """

    static func document(_ object: ExportedObject?, children: [String]) -> String {
        var xml = IntrospectionXML()
        if let object {
            let standard = StandardInterfaces.tables(of: object, children: children)
            for table in object.interfaces + standard + [StandardInterfaces.peer] { xml.add(table) }
        }
        for child in children { xml.line(1, "<node name=\"\(child)\"/>") }
        return xml.text + "</node>\n"
    }

    private mutating func add(_ table: InterfaceTable) {
        line(1, "<interface name=\"\(table.name)\">")
        for method in table.methods {
            line(2, "<method name=\"\(method.name)\">")
            for argument in method.in { add(argument, " direction=\"in\"") }
            for argument in method.out { add(argument, " direction=\"out\"") }
            line(2, "</method>")
        }
        for signal in table.signals {
            line(2, "<signal name=\"\(signal.name)\">")
            for argument in signal.arguments { add(argument, "") }
            line(2, "</signal>")
        }
        for property in table.properties { add(property) }
        line(1, "</interface>")
    }

    private mutating func add(_ property: PropertyEntry) {
        let access = property.set == nil ? "read" : "readwrite"
        let element =
            "<property name=\"\(property.name)\" type=\"\(property.signature)\" "
            + "access=\"\(access)\""
        // Without the annotation, a change is reported by a signal.
        guard property.changeReport != .signal else { return line(2, element + "/>") }
        line(2, element + ">")
        line(
            3,
            "<annotation name=\"org.freedesktop.DBus.Property.EmitsChangedSignal\" "
                + "value=\"\(property.changeReport.rawValue)\"/>")
        line(2, "</property>")
    }

    private mutating func add(_ argument: ArgumentEntry, _ direction: String) {
        let name = Self.escape(argument.name)
        line(3, "<arg name=\"\(name)\" type=\"\(argument.signature)\"\(direction)/>")
    }

    private mutating func line(_ depth: Int, _ content: String) {
        text += String(repeating: "  ", count: depth) + content + "\n"
    }

    /// Escapes an attribute's value by Unicode scalars, because an XML reader reads scalars.
    ///
    /// For example, a quote followed by U+0301 is one `Character`, which does not equal a quote.
    static func escape(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result.append(contentsOf: "&amp;".unicodeScalars)
            case "<": result.append(contentsOf: "&lt;".unicodeScalars)
            case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
