internal import Companion
internal import HTTPServer
internal import MusicShared

extension BulkFixRoutes {
    static let operations = [
        OpenAPIOperation(
            method: .post, path: Routes.bulkFix, id: "fixTags",
            summary: "Fixes what is often wrong with tags",
            details: """
                Tracks of the lists, all where there are none, are looked at, `limit` at a request; the `cursor` of an answer \
                goes on. Unless `dry_run` is false nothing is changed and each change is shown.

                `split_compilations`: an album whose tracks name different album artists gets one, and a compilation its \
                mark. `trim_white_space`: white space around texts goes. `id3v1_to_id3v2`: files with ID3v1 only get ID3v2.4 \
                too. `mojibake`: UTF-8, Windows-1251 or Shift-JIS that was read as Latin-1 is read rightly, where nothing \
                else can have been meant. `missing_album_artist`: the one that the album's other tracks have, else the \
                artist of all of them, else "Various Artists". `inconsistent_years`: the year that more than half of the \
                album's tracks have; compilations are left alone.
                """, tag: "Tags", access: .key,
            body: .object(
                [
                    .always(
                        "fixes",
                        .array(
                            of: .oneOf(TagFix.allCases.map(\.rawValue)), "The fixes.", minimumCount: 1)),
                    .maybe(
                        "dry_run",
                        .flag("Whether changes are only shown; true, the safe choice, where it is left out.")),
                ] + TrackPageRequest.properties),
            answer: "The files that have something to fix, or could not be dealt with.",
            contents: [.json(.named("TagFixes"))], errors: TrackPageRequest.errors)
    ]

    static let schemas = [
        "EditResult": EditSchemas.result,
        "TagFixes": JSONSchema.object(
            TrackPageRequest.answer("The files that have something to fix, or could not be dealt with.")),
    ]
}
