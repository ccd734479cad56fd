/// Makes the application and its delegate, and runs the app; it never returns.
///
/// If `principalClassName` is nil, the app is a ``UIApplication``. If `delegateClassName` is nil,
/// the app's own code sets the delegate. A name has the form that `NSStringFromClass` returns.
///
/// If a name has no usable class, the program writes a message to standard error, and ends with
/// status 70. It does the same if the caller is not on the main thread.
///
/// Apple: https://developer.apple.com/documentation/uikit/uiapplicationmain(_:_:_:_:)-1yub7
@preconcurrency @MainActor @discardableResult
public func UIApplicationMain(
    _ argc: Int32, _ argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>,
    _ principalClassName: String?, _ delegateClassName: String?
) -> Int32 {
    // The first application that is made becomes `UIApplication.shared`.
    let application: UIApplication = principalClassName.map(madeObject) ?? UIApplication.shared
    if let delegateClassName {
        let delegate: UIResponder = madeObject(of: delegateClassName)
        guard let delegate = delegate as? any UIApplicationDelegate else {
            endProgram(
                "\(delegateClassName) is not a UIApplicationDelegate. Let the class conform to it.")
        }
        application.delegate = delegate
    }
    application.run()
}

@MainActor private func madeObject<Object: UIResponder>(of name: String) -> Object {
    guard let type = NSClassFromString(name) as? Object.Type else {
        endProgram(
            "There is no class \(name) that is a \(Object.self). Write it as 'Module.Class'.")
    }
    guard let object = type.init(coder: EmptyCoder()) else {
        endProgram("init(coder:) of \(name) returned nil. Return an object there.")
    }
    return object
}

@MainActor func endProgram(_ message: String) -> Never {
    UIApplication.logMessage(message)
    exit(70)
}
