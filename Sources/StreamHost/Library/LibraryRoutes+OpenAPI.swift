internal import HTTPServer
internal import MusicShared

extension LibraryRoutes {
    static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.database, id: "database", summary: "The library as a database",
            details: "A consistent copy of catalogue and analyses in SQLite's format; it holds no secret.",
            tag: "Library", access: .key, answer: "The database.",
            contents: [.bytes("application/vnd.sqlite3")], hasEntityTag: true, allowsRanges: true)
    ]
}
