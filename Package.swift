// swift-tools-version: 6.2
import PackageDescription

let swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let argumentParser = Target.Dependency.product(
    name: "ArgumentParser", package: "swift-argument-parser")

// The graph is the architecture: `make lint` compares every import with it.
let package = Package(
    name: "Tocsin",
    products: [
        .library(
            name: "UserNotifications", targets: ["UserNotifications", "CoreLocation", "Intents"]),
        .library(name: "DesktopBus", targets: ["DesktopBus"]),
        .executable(name: "tocsin", targets: ["tocsin"]),
        .executable(name: "tocsind", targets: ["tocsind"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        // The thread and the bus.
        .target(name: "CLinux"),
        .target(name: "Reactor", dependencies: ["CLinux"], swiftSettings: swiftSettings),
        .systemLibrary(
            name: "Clibdbus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
        .target(name: "CDesktopBus", dependencies: ["Clibdbus"]),
        .target(
            name: "DesktopBus", dependencies: ["Reactor", "CDesktopBus"],
            swiftSettings: swiftSettings),

        // The engine and what it works on.
        .target(name: "NotificationModel", swiftSettings: swiftSettings),
        .target(
            name: "NotificationSchedule", dependencies: ["NotificationModel"],
            swiftSettings: swiftSettings),
        .target(
            name: "NotificationEngine",
            dependencies: [
                "NotificationModel", "NotificationSchedule", "Reactor", "CLinux", grdb, logging,
            ],
            swiftSettings: swiftSettings),

        // The two sides of the bus: the desktop's server, and our own daemon.
        .target(
            name: "Freedesktop", dependencies: ["NotificationModel", "DesktopBus", "Reactor"],
            swiftSettings: swiftSettings),
        .target(
            name: "CenterInterface",
            dependencies: ["NotificationModel", "DesktopBus", "Reactor", "CLinux"],
            swiftSettings: swiftSettings),

        .systemLibrary(
            name: "Clibgio", pkgConfig: "gio-unix-2.0", providers: [.apt(["libglib2.0-dev"])]),
        .target(name: "CGio", dependencies: ["Clibgio"]),
        .target(
            name: "DesktopIntegration",
            dependencies: ["CGio", "CLinux", "Reactor", "NotificationModel"],
            swiftSettings: swiftSettings),

        // The composition root and the faces.
        .target(
            name: "NotificationRuntime",
            dependencies: [
                "NotificationModel", "NotificationEngine", "Freedesktop", "CenterInterface",
                "DesktopIntegration", "DesktopBus", "Reactor", logging,
            ],
            swiftSettings: swiftSettings),
        .target(
            name: "UserNotifications",
            dependencies: [
                "NotificationRuntime", "NotificationModel", "CLinux", "CoreLocation", "Intents",
            ],
            swiftSettings: swiftSettings),
        // What Apple's surface needs of two other frameworks of Apple's.
        .target(name: "CoreLocation", swiftSettings: swiftSettings),
        .target(name: "Intents", swiftSettings: swiftSettings),
        .executableTarget(
            name: "tocsind", dependencies: ["NotificationRuntime", "NotificationModel", logging],
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "tocsin",
            dependencies: [
                "CenterInterface", "NotificationSchedule", "NotificationModel", "Freedesktop",
                "DesktopBus", "Reactor", argumentParser,
            ],
            swiftSettings: swiftSettings),

        // Examples: each is a program that really runs.
        .executableTarget(
            name: "Demo", dependencies: ["UserNotifications"],
            path: "Sources/Examples/Demo", swiftSettings: swiftSettings),
        // In Swift 5 mode, as the article's program was written.
        .executableTarget(
            name: "ReminderManager", dependencies: ["UserNotifications"],
            path: "Sources/Examples/ReminderManager",
            swiftSettings: swiftSettings + [.swiftLanguageMode(.v5)]),
        // The README's program, to the letter.
        .executableTarget(
            name: "TeaReminder", dependencies: ["UserNotifications"],
            path: "Sources/Examples/TeaReminder", swiftSettings: swiftSettings),
        .executableTarget(
            name: "LastLine", dependencies: ["UserNotifications"],
            path: "Sources/Examples/LastLine",
            swiftSettings: swiftSettings + [.swiftLanguageMode(.v5)]),
        .executableTarget(
            name: "ThirtySeconds", dependencies: ["UserNotifications"],
            path: "Sources/Examples/ThirtySeconds", swiftSettings: swiftSettings),
        .systemLibrary(
            name: "Clibglib", pkgConfig: "glib-2.0", providers: [.apt(["libglib2.0-dev"])]),
        .executableTarget(
            name: "GLibMainLoop", dependencies: ["UserNotifications", "Clibglib"],
            path: "Sources/Examples/GLibMainLoop", swiftSettings: swiftSettings),

        // Tests: one folder per target.
        .target(
            name: "TestSupport",
            dependencies: ["NotificationModel", "DesktopBus", "Reactor"],
            path: "Tests/TestSupport", swiftSettings: swiftSettings),
        .testTarget(
            name: "NotificationEngineTests",
            dependencies: [
                "NotificationEngine", "NotificationSchedule", "NotificationModel", "Reactor",
                "TestSupport", grdb,
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "ReactorTests", dependencies: ["Reactor", "TestSupport"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "DesktopBusTests", dependencies: ["DesktopBus", "Reactor", "TestSupport"],
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "DesktopDemo", dependencies: ["TestSupport", "DesktopBus", "Reactor"],
            path: "Tests/DesktopDemo", swiftSettings: swiftSettings),
        .executableTarget(
            name: "PostBench", dependencies: ["UserNotifications"],
            path: "Tests/Benchmarks/PostBench", swiftSettings: swiftSettings),
        .testTarget(
            name: "FreedesktopTests",
            dependencies: [
                "Freedesktop", "NotificationModel", "DesktopBus", "Reactor", "TestSupport",
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "TestSupportTests", dependencies: ["TestSupport", "DesktopBus"],
            swiftSettings: swiftSettings),
        .target(
            name: "HostingSupport",
            dependencies: [
                "NotificationRuntime", "NotificationEngine", "CenterInterface",
                "NotificationModel", "DesktopBus", "Reactor", "TestSupport",
            ],
            path: "Tests/HostingSupport", swiftSettings: swiftSettings),
        .testTarget(
            name: "ServerTests",
            dependencies: [
                "TestSupport", "HostingSupport", "NotificationModel", "DesktopBus", "tocsind",
            ],
            swiftSettings: swiftSettings),
        .target(
            name: "ScriptedService", dependencies: ["NotificationModel"],
            path: "Tests/ScriptedService", swiftSettings: swiftSettings),
        .executableTarget(
            name: "MainLoopProbe",
            dependencies: [
                "UserNotifications", "NotificationModel", "ScriptedService", "Clibglib",
            ],
            path: "Tests/MainLoopProbe", swiftSettings: swiftSettings),
        .testTarget(
            name: "UserNotificationsTests",
            dependencies: [
                "UserNotifications", "CoreLocation", "Intents", "NotificationModel",
                "ScriptedService", "MainLoopProbe",
            ],
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "HostProbe", dependencies: ["UserNotifications"], path: "Tests/HostProbe",
            swiftSettings: swiftSettings),
        .testTarget(
            name: "HostingTests",
            dependencies: [
                "HostingSupport", "NotificationModel", "DesktopBus", "TestSupport", "HostProbe",
                "TeaReminder", "LastLine", "tocsind", "ExtensionProbe",
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "CenterInterfaceTests",
            dependencies: [
                "CenterInterface", "NotificationModel", "DesktopBus", "Reactor", "TestSupport",
                "ScriptedService",
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "NotificationScheduleTests",
            dependencies: ["NotificationSchedule", "NotificationModel", "TestSupport"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "TocsinTests",
            dependencies: [
                "tocsin", "tocsind", "NotificationSchedule", "NotificationModel", "DesktopBus",
                "Reactor",
                "TestSupport",
            ],
            swiftSettings: swiftSettings),
    ],
    swiftLanguageModes: [.v6]
)

package.targets.append(
    .testTarget(
        name: "DesktopIntegrationTests",
        dependencies: ["DesktopIntegration", "NotificationModel", "Reactor", "TestSupport"],
        swiftSettings: swiftSettings))
// The articles' programs and the loops: each is read by itself, and run by the tests.
for name in ["FocusTimer", "DailyMinutes", "MeetingInvitation", "MainLoops"] {
    package.targets.append(
        .executableTarget(
            name: name, dependencies: ["UserNotifications"], path: "Sources/Examples/\(name)",
            swiftSettings: swiftSettings))
}
package.targets.append(
    .executableTarget(
        name: "NewsChapters", dependencies: ["UserNotifications", "CoreLocation"],
        path: "Sources/Examples/NewsChapters", resources: [.copy("Resources/image.png")],
        swiftSettings: swiftSettings))
for target in package.targets {
    switch target.name {
    case "ServerTests":
        target.dependencies += [
            "ReminderManager", "FocusTimer", "DailyMinutes", "ThirtySeconds", "NewsChapters",
            "MeetingInvitation", "tocsin",
        ]
    case "HostingTests":
        target.dependencies += [
            "DailyMinutes", "NewsChapters", "MainLoops", "GLibMainLoop", "tocsin",
        ]
    default: break
    }
}

// On Apple's platforms `import UserNotifications` brings URLSession along; on Linux it is in a module
// of its own, which links libcurl. Who wants neither asks for this package with `traits: []`.
package.traits = [
    .default(enabledTraits: ["FoundationNetworking"]),
    .trait(
        name: "FoundationNetworking",
        description: "`import UserNotifications` also imports FoundationNetworking, as on Apple's."
    ),
]

// The programs of Tests/ClientTests, a package of its own; `make test-clients` builds and runs them.
package.targets.append(
    .testTarget(
        name: "ClientProgramTests", dependencies: ["TestSupport", "DesktopBus"],
        swiftSettings: swiftSettings))
package.targets.append(
    .executableTarget(
        name: "DateBench", dependencies: ["NotificationSchedule", "NotificationModel"],
        path: "Tests/Benchmarks/DateBench", swiftSettings: swiftSettings))

// `make doc` alone asks for the documentation plugin; who depends on us never fetches it.
if Context.environment["TOCSIN_DOC"] != nil {
    package.dependencies.append(
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"))
}

package.targets.append(
    .testTarget(
        name: "NotificationModelTests", dependencies: ["NotificationModel"],
        swiftSettings: swiftSettings))
package.targets.append(
    .executableTarget(
        name: "ExtensionProbe", dependencies: ["UserNotifications"], path: "Tests/ExtensionProbe",
        swiftSettings: swiftSettings))
package.targets.append(
    .testTarget(
        name: "NotificationRuntimeTests",
        dependencies: [
            "NotificationRuntime", "NotificationModel", "DesktopIntegration", "Reactor",
            "TestSupport", "ExtensionProbe",
        ], swiftSettings: swiftSettings))
