internal import APIDescription
internal import HTTPServer
internal import MusicShared

extension LibraryRoutes {
    static let tag = "Library"

    static let hasDetails = QueryParameter<Bool>(
        "details", "Whether to include the large columns; such a copy is never compressed.")

    static let operations = [
        operation(
            .get, Routes.database, "database", "Download the library database",
            details: """
                A consistent SQLite copy of the catalogue and the analyses, without secrets. It contains all tables and rows, for \
                browsing and searching; the large columns of `analysis_details` are empty unless requested. During a scan the copy \
                may be up to half a minute old, or more if it takes long to create.
                """,
            parameters: [hasDetails],
            answer: .content(.bytes("application/vnd.sqlite3"), "The database.").tagged.ranged)
    ]
}
