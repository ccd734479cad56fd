// swift-tools-version: 6.2
import PackageDescription

// A package with apps from iOS, which use only our library product. `make test-clients` builds the
// package dynamically and statically, and runs the apps.
let notifications = Target.Dependency.product(name: "UserNotifications", package: "tocsin")

let package = Package(
    name: "Clients",
    dependencies: [.package(name: "tocsin", path: "../..")],
    targets: [
        // Three notification managers in three styles, in Swift 5 mode.
        .executableTarget(
            name: "Callbacks", dependencies: [notifications],
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .executableTarget(
            name: "AsyncAwait", dependencies: [notifications],
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .executableTarget(
            name: "Habits", dependencies: [notifications],
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .testTarget(
            name: "HabitsTests", dependencies: ["Habits"],
            swiftSettings: [.swiftLanguageMode(.v5)]),
        // Apps in the newer language modes.
        .executableTarget(
            name: "SwiftSix", dependencies: [notifications],
            swiftSettings: [.swiftLanguageMode(.v6)]),
        .executableTarget(
            name: "MainActorApp", dependencies: [notifications],
            swiftSettings: [.swiftLanguageMode(.v6), .defaultIsolation(MainActor.self)]),
    ]
)

// A program that uses swift-custom-dump, which has parts behind `#if canImport(UIKit)`. That
// package uses `URLRequest`, so a static link would need the development files of libcurl.
if Context.environment["TOCSIN_STATIC_CLIENTS"] == nil {
    package.dependencies.append(
        .package(url: "https://github.com/pointfreeco/swift-custom-dump", from: "1.7.3"))
    package.targets.append(
        .executableTarget(
            name: "Dumps",
            dependencies: [
                notifications, .product(name: "UIKit", package: "tocsin"),
                .product(name: "CustomDump", package: "swift-custom-dump"),
            ]))
}
