internal import APIDescription
internal import Foundation
internal import HTTPServer
internal import MusicShared
internal import Subsonic

/// Starts Navidrome scans on request.
struct RescanRoutes: DescribedRoutes {
    /// Nil if no server is configured.
    let rescan: LibraryRescan?

    func add(to routes: some RouteCollection) {
        routes.post(Routes.rescan) { _ in
            guard let rescan else {
                throw APIError.noNavidrome(
                    "No Navidrome server is configured; start the host with --navidrome-url and --subsonic-user."
                )
            }
            rescan.request(atOnce: true)
            return try .json(NavidromeReport(rescan.status), status: .accepted)
        }
    }
}

extension NavidromeReport {
    init(_ status: LibraryRescan.Status) {
        self.init(state: status.state)
        scanCount = status.scanCount
        failureCount = status.failureCount
        lastScan = status.lastScan.map { Int($0.timeIntervalSince1970) }
        lastError = status.lastError
    }
}
