internal import APIDescription
internal import Catalogue
internal import HTTPServer
internal import MusicShared

extension ReplicaRoutes {
    static let tag = "Following hosts"

    static let rows = revision("rows", "`rows` of the last state that the follower has.")
    static let catalogue = revision("catalogue", "`catalogue` of that state.")
    static let hasAllPlaylists = QueryParameter<Bool>(
        "all_playlists", "Whether to include all playlists, changed or not.")

    private static func revision(_ name: String, _ meaning: String) -> QueryParameter<CatalogueRevision?> {
        QueryParameter(
            name, meaning, .text(matching: "^[1-9][0-9]*-[0-9a-f]{8}$", example: "1204-0f3a99c2"),
            expected: "a revision from /replica/state"
        ) { CatalogueRevision($0) }
    }

    static let operations = [
        operation(
            .get, Routes.replicaState, "replicaState", "Get the state of everything that followers copy",
            details:
                "For `stream-host serve --follow`. These routes accept the API key only, no app password.",
            role: .owner, answer: .json("ReplicaState", "The current state.")),
        operation(
            .get, Routes.replicaChanges, "replicaChanges",
            "Download the rows of the library that have changed",
            details: "A SQLite database with the changed rows in their current form.", role: .owner,
            parameters: [rows, catalogue, hasAllPlaylists],
            answer: .content(.bytes("application/vnd.sqlite3"), "The changes."), errors: [.unknownState]),
        operation(
            .get, Routes.replicaListening, "replicaListening",
            "Download the accounts and their listening data",
            details:
                "A SQLite database with accounts, stars, ratings, plays, queues and stations; no passwords.",
            role: .owner, answer: .content(.bytes("application/vnd.sqlite3"), "The copy.")),
        operation(
            .get, Routes.replicaCredentials, "replicaCredentials",
            "Download the app passwords and roles, encrypted",
            details: """
                Encrypted with a key that follows from the API key (XSalsa20-Poly1305), and never stored in a database. \
                Passwords of accounts are not included.
                """, role: .owner,
            answer: .content(.bytes("application/octet-stream"), "The encrypted app passwords and roles.")),
    ]

    static let schemas: [String: JSONSchema] = [
        "ReplicaState": [
            "rows": .text("The last change of a row of the library.", example: "90210-5be1f00d"),
            "catalogue": .text("The last change of the catalogue.", example: "1204-0f3a99c2"),
            "listening": .text("State of the accounts and the listening data."),
            "credentials": .text("State of the app passwords and roles."),
        ]
    ]
}
