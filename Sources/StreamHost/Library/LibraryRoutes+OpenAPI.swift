internal import APIDescription
internal import HTTPServer
internal import MusicShared

extension LibraryRoutes {
    static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.database, id: "database", summary: "Download the library database",
            details: """
                A consistent SQLite copy of the catalogue and the analyses, without secrets. It contains all tables and rows, for \
                browsing and searching; the large columns of `analysis_details` are empty unless requested. During a scan the copy \
                may be up to half a minute old, or more if it takes long to create.
                """, tag: "Library", access: .key,
            parameters: [
                .query(
                    "details", "Whether to include the large columns; such a copy is never compressed.",
                    .flag(""))
            ], answer: "The database.",
            contents: [.bytes("application/vnd.sqlite3")], hasEntityTag: true, allowsRanges: true,
            errors: [.badParameter])
    ]
}
