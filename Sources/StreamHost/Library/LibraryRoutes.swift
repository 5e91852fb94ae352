internal import HTTPServer
internal import MusicShared

/// The library database as a download.
struct LibraryRoutes: DescribedRoutes {
    let snapshots: LibrarySnapshots

    func add(to routes: some RouteCollection) {
        routes.get(Routes.database) { _ in
            let file = try snapshots.file()
            return HTTPResponse(
                fields: [
                    .contentType: "application/vnd.sqlite3",
                    .cacheControl: "no-cache",
                    .entityTag: file.entityTag.description,
                ], body: .file(try FileRegion(file)), allowsRanges: true)
        }
    }
}
