// As on Apple's platforms, `import UserNotifications` alone brings Foundation.
@_exported public import Foundation

// And URLSession, which on Linux is in a module of its own. Importing that module makes every program
// link libcurl, and a static link fails where libcurl's development files are missing; so in a static
// link, where XCTest cannot be imported, apps that want URLSession import FoundationNetworking.
#if FoundationNetworking && canImport(XCTest)
@_exported public import FoundationNetworking
#endif
