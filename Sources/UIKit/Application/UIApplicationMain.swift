/// Makes the application and its delegate, and runs the app; it never returns.
///
/// Nil for a class stands for ``UIApplication``, or for a delegate that is set later. A class that
/// is missing, or is not of the right kind, ends the program with status 70 and a sentence on
/// standard error. The names are those of `NSStringFromClass`.
///
/// Apple: https://developer.apple.com/documentation/uikit/uiapplicationmain(_:_:_:_:)-1yub7
@preconcurrency @MainActor @discardableResult
public func UIApplicationMain(
    _ argc: Int32, _ argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>,
    _ principalClassName: String?, _ delegateClassName: String?
) -> Int32 {
    // An application becomes the shared one as it is made.
    let application: UIApplication = principalClassName.map(madeObject) ?? UIApplication.shared
    if let delegateClassName {
        let delegate: UIResponder = madeObject(of: delegateClassName)
        guard let delegate = delegate as? any UIApplicationDelegate else {
            endProgram("\(delegateClassName) is not a UIApplicationDelegate.")
        }
        application.delegate = delegate
    }
    application.run()
}

@MainActor private func madeObject<Object: UIResponder>(of name: String) -> Object {
    guard let type = NSClassFromString(name) as? Object.Type,
        let object = type.init(coder: EmptyCoder())
    else { endProgram("There is no class \(name) that is a \(Object.self).") }
    return object
}

@MainActor private func endProgram(_ reason: String) -> Never {
    UIApplication.logMessage("\(reason) Name a class as NSStringFromClass does.")
    exit(70)
}
