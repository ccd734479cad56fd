// swift-tools-version: 6.2
import PackageDescription

let swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let argumentParser = Target.Dependency.product(
    name: "ArgumentParser", package: "swift-argument-parser")

// The graph is the architecture: `make lint` compares every import with it.
let package = Package(
    name: "Tocsin",
    products: [
        .library(
            name: "UserNotifications", targets: ["UserNotifications", "CoreLocation", "Intents"]),
        // The life cycle of an app of UIKit; an app that does not import it links nothing of it.
        .library(name: "UIKit", targets: ["UIKit", "_Testing_UIKit"]),
        .library(name: "DesktopBus", targets: ["DesktopBus"]),
        // Messages of Web Push, for servers that send them.
        .library(name: "WebPush", targets: ["WebPush", "WebPushSender"]),
        // GLib's main loop in Swift, for apps of GLib and GTK: see the article on main loops.
        .library(name: "Clibglib", targets: ["Clibglib"]),
        .executable(name: "tocsin", targets: ["tocsin"]),
        .executable(name: "tocsind", targets: ["tocsind"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        // For pushes alone: no app links it by importing UserNotifications.
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    ],
    targets: [
        // The thread and the bus.
        .target(name: "CLinux"),
        .target(name: "Reactor", dependencies: ["CLinux"]),
        .systemLibrary(name: "Clibdbus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
        .target(name: "CDesktopBus", dependencies: ["Clibdbus"]),
        .target(name: "DesktopBus", dependencies: ["Reactor", "CDesktopBus"]),

        // The engine and what it works on.
        .target(name: "NotificationModel"),
        .target(name: "NotificationSchedule", dependencies: ["NotificationModel"]),
        .target(
            name: "NotificationStore",
            dependencies: ["NotificationModel", "Reactor", "CLinux", grdb, logging]),
        .target(
            name: "NotificationEngine",
            dependencies: [
                "NotificationModel", "NotificationSchedule", "NotificationStore", "Reactor",
                logging,
            ]),

        // The two sides of the bus: the desktop's server, and our own daemon.
        .target(name: "Freedesktop", dependencies: ["NotificationModel", "DesktopBus", "Reactor"]),
        .target(
            name: "CenterInterface",
            dependencies: ["NotificationModel", "DesktopBus", "Reactor"]),

        // Not "gio-unix-2.0", whose -pthread is a warning of SwiftPM in each build of a client.
        .systemLibrary(
            name: "Clibgio", pkgConfig: "gobject-2.0", providers: [.apt(["libglib2.0-dev"])]),
        .target(
            name: "CGio", dependencies: ["Clibgio"],
            linkerSettings: [.linkedLibrary("gio-2.0")]),
        .target(
            name: "DesktopIntegration",
            dependencies: ["CGio", "Reactor", "DesktopBus", "NotificationModel"]),

        // The encryption of Web Push, which knows nothing of the rest.
        .target(name: "WebPush", dependencies: [crypto]),
        .target(name: "WebPushSender", dependencies: ["WebPush", "Reactor"]),
        // The push connector of tocsind and tocsin-distributor: no app links cryptography for it.
        .target(
            name: "PushConnector",
            dependencies: [
                "WebPush", "DesktopBus", "NotificationModel", "Reactor", logging, crypto,
            ]),

        // The composition root and the faces.
        .target(
            name: "NotificationRuntime",
            dependencies: [
                "NotificationModel", "NotificationStore", "NotificationEngine", "Freedesktop",
                "CenterInterface", "DesktopIntegration", "DesktopBus", "Reactor", logging,
            ]),
        .target(
            name: "UserNotifications",
            dependencies: [
                "NotificationRuntime", "NotificationModel", "Reactor", "CLinux", "CoreLocation",
                "Intents",
            ]),
        // What Apple's surface needs of two other frameworks of Apple's. CoreLocation gets its places
        // from UserNotifications, through a weak symbol: it links no bus and no GIO itself.
        .target(name: "CCoreLocation"),
        .target(
            name: "CoreLocation", dependencies: ["NotificationModel", "Reactor", "CCoreLocation"]),
        .target(name: "Intents"),
        .target(
            name: "UIKit",
            dependencies: [
                "UserNotifications", "NotificationRuntime", "NotificationModel", "Reactor",
            ]),
        // The compiler imports it where both UIKit and Testing are imported.
        .target(name: "_Testing_UIKit", dependencies: ["UIKit"]),
        .executableTarget(
            name: "tocsind",
            dependencies: [
                "NotificationRuntime", "PushConnector", "CenterInterface", "NotificationModel",
                "Reactor", "CLinux", logging,
            ]),
        .executableTarget(
            name: "tocsin",
            dependencies: [
                "CenterInterface", "NotificationSchedule", "NotificationModel", "Freedesktop",
                "DesktopBus", "Reactor", argumentParser,
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// On Apple's platforms `import UserNotifications` brings URLSession along; on Linux it is in a module
// of its own, which links libcurl. Who wants neither asks for this package with `traits: []`.
package.traits = [
    .default(enabledTraits: ["FoundationNetworking"]),
    .trait(
        name: "FoundationNetworking",
        description: "`import UserNotifications` also imports FoundationNetworking, as on Apple's."
    ),
]

package.targets += [
    // Images and sounds, for one program that decodes them in confinement. pkg-config is not asked:
    // SwiftPM warns about its -pthread and -D_REENTRANT in each build of a client.
    .target(
        name: "CMedia", dependencies: ["Clibglib"],
        cSettings: [.unsafeFlags(["-I/usr/include/gdk-pixbuf-2.0"])],
        linkerSettings: [
            .linkedLibrary("gdk_pixbuf-2.0"), .linkedLibrary("gobject-2.0"),
            .linkedLibrary("canberra"), .linkedLibrary("sndfile"),
        ]),
    .executableTarget(name: "tocsin-media", dependencies: ["CMedia", "NotificationModel"]),
]
package.products += [.executable(name: "tocsin-media", targets: ["tocsin-media"])]

// Cryptography and HTTP stay out of the tool, which must start fast.
package.targets += [
    .executableTarget(
        name: "tocsin-push", dependencies: ["WebPushSender", "WebPush", "NotificationModel"])
]
package.products += [.executable(name: "tocsin-push", targets: ["tocsin-push"])]

// For users without a push distributor: one that gets its messages from ntfy servers.
package.targets += [
    .target(
        name: "PushDistributor",
        dependencies: ["PushConnector", "DesktopBus", "NotificationModel", "Reactor", logging]),
    .executableTarget(
        name: "tocsin-distributor",
        dependencies: ["PushDistributor", "DesktopBus", "NotificationModel", "Reactor", logging]),
]
package.products += [
    .executable(name: "tocsin-distributor", targets: ["tocsin-distributor"])
]

// Examples: each is a program that really runs.
package.targets += [
    "TeaReminder", "ThirtySeconds", "FocusTimer", "DailyMinutes", "MeetingInvitation",
    "MainLoops",
].map { name in
    .executableTarget(
        name: name, dependencies: ["UserNotifications"], path: "Sources/Examples/\(name)")
}
// In Swift 5 mode: an article's program as it was written, and a main.swift with its globals.
package.targets += ["ReminderManager", "LastLine"].map { name in
    .executableTarget(
        name: name, dependencies: ["UserNotifications"], path: "Sources/Examples/\(name)",
        swiftSettings: swiftSettings + [.swiftLanguageMode(.v5)])
}
package.targets += [
    .executableTarget(
        name: "Demo", dependencies: ["UserNotifications"], path: "Sources/Examples/Demo",
        resources: [.copy("Resources/bell.png")]),
    .executableTarget(
        name: "NearTheShop", dependencies: ["UserNotifications", "CoreLocation"],
        path: "Sources/Examples/NearTheShop"),
    .executableTarget(
        name: "NewsChapters", dependencies: ["UserNotifications", "CoreLocation"],
        path: "Sources/Examples/NewsChapters", resources: [.copy("Resources/image.png")]),
    // In Swift 5 mode, as the article that its program is taken from.
    .executableTarget(
        name: "ShortNotice", dependencies: ["UIKit", "UserNotifications"],
        path: "Sources/Examples/ShortNotice",
        swiftSettings: swiftSettings + [.swiftLanguageMode(.v5)]),
    .systemLibrary(name: "Clibglib", pkgConfig: "glib-2.0", providers: [.apt(["libglib2.0-dev"])]),
    .executableTarget(
        name: "GLibMainLoop", dependencies: ["UserNotifications", "Clibglib"],
        path: "Sources/Examples/GLibMainLoop"),
]

// Programs and modules that the tests and the benchmarks need.
func support(
    _ name: String, _ dependencies: [Target.Dependency], without files: [String] = []
) -> Target {
    .target(name: name, dependencies: dependencies, path: "Tests/\(name)", exclude: files)
}
func probe(_ name: String, _ dependencies: [Target.Dependency], in path: String = "") -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: "Tests/\(path)\(name)")
}
package.targets += [
    support(
        "TestSupport", ["NotificationModel", "DesktopBus", "Reactor"],
        without: ["Disk/DiskShim.c"]),
    support(
        "HostingSupport",
        [
            "NotificationRuntime", "NotificationEngine", "NotificationStore", "CenterInterface",
            "NotificationModel", "DesktopBus", "Reactor", "WebPush", "TestSupport",
        ]),
    support(
        "ScriptedService",
        ["CenterInterface", "NotificationModel", "DesktopBus", "TestSupport"]),
    support(
        "StoreSupport",
        ["NotificationEngine", "NotificationStore", "NotificationModel", "TestSupport", grdb]),
    probe(
        "MainLoopProbe",
        [
            "UserNotifications", "CenterInterface", "NotificationModel", "ScriptedService",
            "Clibglib",
        ]),
    probe("HostProbe", ["UserNotifications"]),
    probe("ExitProbe", ["UserNotifications", "NotificationRuntime"]),
    probe("LaunchProbe", ["UserNotifications"]),
    probe("ExtensionProbe", ["UserNotifications"]),
    probe("UIKitProbe", ["UIKit"]),
    probe("SceneProbe", ["UIKit", "UserNotifications"]),
    probe("ActionsProbe", ["UIKit", "UserNotifications"]),
    probe("PushProbe", ["UIKit", "UserNotifications"]),
    // In Swift 5 mode, in which handlers may change local variables.
    .executableTarget(
        name: "HandlerProbe", dependencies: ["UIKit", "Intents"], path: "Tests/HandlerProbe",
        swiftSettings: swiftSettings + [.swiftLanguageMode(.v5)]),
    support("SeedChapters", ["HostingSupport", "TestSupport", "DesktopBus"]),
    probe("DesktopDemo", ["SeedChapters", "TestSupport", "DesktopBus", "Reactor"]),
    probe("PostBench", ["UserNotifications"], in: "Benchmarks/"),
    probe("DateBench", ["NotificationSchedule", "NotificationModel"], in: "Benchmarks/"),
    probe("RecordBench", ["NotificationModel"], in: "Benchmarks/"),
]

// The programs of the articles, listing by listing, as they were written: in Swift 5 mode, and
// without the compiler's advice on old spellings.
let seeds = [
    "LocalNotificationManager/Steps", "LocalNotificationManager/Complete", "FocusSession",
    "HDLocalNotification", "MeetingNotes",
    "Hangge/Permission", "Hangge/Settings", "Hangge/Simple", "Hangge/Content", "Hangge/Triggers",
    "Hangge/Remote", "Hangge/Manage", "Hangge/Foreground", "Hangge/Response", "Hangge/Actions",
    "Hangge/Service", "Hangge/Attachment", "Hangge/Download",
]
// What lies beside such a program: its property list, or its image.
let seedFiles = [
    "FocusSession": "Info.plist", "HDLocalNotification": "Info.plist",
    "Hangge/Attachment": "image.png",
]
// `Hangge/Simple` is the program SeedHanggeSimple.
let seedPrograms = seeds.map { path in "Seed" + path.split(separator: "/").joined() }
package.targets += zip(seedPrograms, seeds).map { name, path in
    .executableTarget(
        name: name, dependencies: ["UIKit", "UserNotifications", "CoreLocation"],
        path: "Tests/Seeds/\(path)", exclude: seedFiles[path].map { [$0] } ?? [],
        swiftSettings: [.swiftLanguageMode(.v5), .unsafeFlags(["-suppress-warnings"])])
}

// Tests: one folder per target.
func tests(
    _ name: String, _ dependencies: [Target.Dependency], without texts: [String] = []
) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: texts)
}
package.targets += [
    tests("ReactorTests", ["Reactor", "TestSupport"]),
    tests("DesktopBusTests", ["DesktopBus", "Clibdbus", "Reactor", "TestSupport"]),
    tests("NotificationModelTests", ["NotificationModel", "TestSupport"]),
    tests("WebPushTests", ["WebPush", "TestSupport", crypto]),
    tests(
        "PushDistributorTests",
        [
            "PushDistributor", "tocsin-distributor", "DesktopBus", "NotificationModel",
            "TestSupport",
        ]),
    tests("WebPushSenderTests", ["WebPushSender", "WebPush", "TestSupport"]),
    tests(
        "NotificationScheduleTests",
        ["NotificationSchedule", "NotificationModel", "TestSupport"]),
    tests(
        "NotificationStoreTests",
        [
            "NotificationStore", "NotificationEngine", "NotificationModel", "Reactor",
            "StoreSupport", "TestSupport", grdb,
        ], without: ["Golden"]),
    tests(
        "NotificationEngineTests",
        [
            "NotificationEngine", "NotificationStore", "NotificationSchedule", "NotificationModel",
            "Reactor", "StoreSupport", "TestSupport", grdb,
        ]),
    tests(
        "FreedesktopTests",
        [
            "Freedesktop", "NotificationEngine", "NotificationModel", "DesktopBus", "Reactor",
            "TestSupport",
        ]),
    tests(
        "CenterInterfaceTests",
        [
            "CenterInterface", "NotificationModel", "DesktopBus", "Reactor", "TestSupport",
            "ScriptedService",
        ], without: ["Golden"]),
    tests(
        "DesktopIntegrationTests",
        ["DesktopIntegration", "NotificationModel", "DesktopBus", "Reactor", "TestSupport"]),
    tests(
        "NotificationRuntimeTests",
        [
            "NotificationRuntime", "NotificationEngine", "NotificationStore", "NotificationModel",
            "DesktopIntegration", "DesktopBus", "Freedesktop", "Reactor", "TestSupport",
            "ExtensionProbe", "tocsin-media",
        ]),
    tests(
        "UserNotificationsTests",
        [
            "UserNotifications", "CoreLocation", "Intents", "CenterInterface", "NotificationModel",
            "Reactor", "ScriptedService", "MainLoopProbe", "TestSupport",
        ]),
    tests(
        "UIKitTests",
        [
            "UIKit", "_Testing_UIKit", "UserNotifications", "NotificationRuntime",
            "NotificationModel", "Reactor", "DesktopBus", "CenterInterface", "ScriptedService",
            "TestSupport", "HostingSupport", "UIKitProbe", "SceneProbe", "ActionsProbe",
            "HandlerProbe", "ShortNotice", "TeaReminder", "tocsin", "tocsind",
        ]),
    tests(
        "TocsinTests",
        [
            "tocsin", "tocsind", "tocsin-push", "CenterInterface", "NotificationSchedule",
            "NotificationModel", "DesktopBus", "Freedesktop", "Reactor", "WebPush",
            "ScriptedService", "TestSupport", argumentParser,
        ], without: ["Help"]),
    tests(
        "PushConnectorTests",
        ["PushConnector", "WebPush", "NotificationModel", "DesktopBus", "TestSupport"]),
    tests("MediaTests", ["CMedia", "NotificationModel", "TestSupport", "tocsin-media"]),
    tests("TestSupportTests", ["TestSupport", "DesktopBus"]),
    tests(
        "HostingTests",
        [
            "HostingSupport", "NotificationModel", "NotificationEngine", "NotificationStore",
            "Reactor", "DesktopBus", "CenterInterface", "WebPush", "WebPushSender", "TestSupport",
            "HostProbe", "ExitProbe", "LaunchProbe", "PushProbe", "ExtensionProbe", "TeaReminder",
            "LastLine", "DailyMinutes", "Demo", "NearTheShop", "NewsChapters", "MainLoops",
            "GLibMainLoop", "tocsin", "tocsind", "tocsin-media", "tocsin-distributor",
        ]),
    tests(
        "ServerTests",
        [
            "TestSupport", "HostingSupport", "NotificationModel", "DesktopBus", "tocsin", "tocsind",
            "tocsin-media", "tocsin-distributor", "LaunchProbe", "HostProbe", "ActionsProbe",
            "PushProbe", "WebPush", "WebPushSender",
        ]),
    tests(
        "ExampleTests",
        [
            "TestSupport", "HostingSupport", "ReminderManager", "FocusTimer", "DailyMinutes",
            "ThirtySeconds", "NewsChapters", "MeetingInvitation", "ShortNotice", "tocsin",
            "tocsind", "SeedChapters", "UIKitProbe",
        ] + seedPrograms.map { .target(name: $0) }),
    // The programs of Tests/ClientTests, a package of its own, which `make test-clients` builds.
    tests("ClientProgramTests", ["TestSupport", "DesktopBus", "HostingSupport", "tocsin"]),
]

// The seeds have their own settings: they compile as their authors wrote them.
for target in package.targets where target.type != .system && target.swiftSettings == nil {
    target.swiftSettings = swiftSettings
}

// `make doc` alone asks for the documentation plugin; who depends on us never fetches it.
if Context.environment["TOCSIN_DOC"] != nil {
    package.dependencies.append(
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"))
}
