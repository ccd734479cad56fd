// As on Apple's platforms, `import UserNotifications` alone brings Foundation.
@_exported public import Foundation

// The import also brings URLSession, whose module FoundationNetworking is separate on Linux. That
// module makes every program link libcurl, and a static link fails without libcurl's development
// files. A static build cannot import XCTest, so `canImport(XCTest)` is false in a static build. A
// statically linked app that uses URLSession imports FoundationNetworking itself.
#if FoundationNetworking && canImport(XCTest)
@_exported public import FoundationNetworking
#endif
