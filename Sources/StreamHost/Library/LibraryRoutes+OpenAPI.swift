internal import HTTPServer
internal import MusicShared

extension LibraryRoutes {
    static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.database, id: "database", summary: "The library as a database",
            details: """
                A consistent copy of catalogue and analyses in SQLite's format; it holds no secret. All tables with all \
                their rows, for browsing and searching; the large columns of `analysis_details` are left empty unless asked \
                for. While a pass runs the copy may be half a minute old, or older where it takes long to make.
                """, tag: "Library", access: .key,
            parameters: [
                .query(
                    "details", "Whether the large columns come, too; such a copy is never compressed.",
                    .flag(""))
            ], answer: "The database.",
            contents: [.bytes("application/vnd.sqlite3")], hasEntityTag: true, allowsRanges: true,
            errors: [.badParameter])
    ]
}
