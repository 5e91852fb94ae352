package import APIDescription
internal import HTTPServer
internal import MusicShared
internal import Tagging

extension EditHistoryRoutes {
    package static let tag = "Tags"
    private static let identifier = OpenAPIParameter.path(
        "edit_id", "ID of the edit.", .identifier("ID of the edit."))

    package static let operations = [
        operation(
            .get, Routes.edits, "edits", "List edits that can be undone, latest first",
            details: """
                Edits, fixes and measurements written by this host, with the number of files whose former values are kept. The \
                latest 500 edits are listed, fewer if they concern more than 200,000 files.
                """, role: .editor, parameters: [Query.limit, Query.offset],
            answer: .json("EditPage", "The edits.")),
        operation(
            .post, Routes.editUndoing, "undoEdit", "Undo an edit",
            details: """
                Restores the former values of each file, and the former cover. A file that has been changed since is left as it \
                is, and stays in the edit. If a file was edited several times, undo the latest edit first. Not restored: white \
                space around texts, the day of a date, lyrics and tag formats.
                """, role: .editor, parameters: [identifier],
            answer: .json("EditResults", "A result for each file."), errors: [.noSuchEdit]),
        operation(
            .delete, Routes.edit, "forgetEdit", "Forget an edit; files stay as they are", role: .editor,
            parameters: [identifier], answer: .done("The edit was forgotten."), errors: [.noSuchEdit]),
    ]

    package static let schemas: [String: JSONSchema] = [
        "EditResult": EditSchemas.result,
        "EditResults": EditSchemas.results,
        "EditPage": .page(of: .named("EditRecord")),
        "EditRecord": [
            "edit_id": .identifier("ID of the edit."),
            "made_at": .time("Time of the edit"),
            "kind": .oneOf(EditRecord.Kind.allCases.map(\.rawValue), "What made the edit."),
            "fields": .array(
                of: .oneOf(TagField.allCases.map(\.rawValue)), "Names of the changed fields."),
            "fixes": .array(of: .text("Name of a fix.", example: "mojibake"), "Names of the fixes."),
            "file_count": .integer("Number of files."),
            "failed_count": .integer("Number of files whose former values could not be restored."),
            "files": .array(
                of: [
                    "relative_path": .text("Path relative to the music folder."),
                    "failure": .text("Why it could not be restored.").optional,
                    "failure_code": .text("Stable code of that error.", example: "state_differs").optional,
                ], "The first files; those that could not be restored come first."),
        ],
    ]
}
