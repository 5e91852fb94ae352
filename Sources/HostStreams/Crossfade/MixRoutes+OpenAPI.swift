package import APIDescription
internal import HTTPServer
internal import MusicShared

extension MixRoutes {
    package static let tag = CrossfadeRoutes.tag

    package static let operations = [
        operation(
            .post, Routes.mix, "mix", "Sort tracks so that each one mixes well with the next",
            details: """
                By key, tempo and loudness, and by the energy if it should rise, fall or go in waves. What is unknown of a track \
                counts as neither good nor bad. The library is not changed.
                """,
            body: [
                "track_ids": .array(
                    of: .identifier(example: 1), "IDs of the tracks; one may occur several times.",
                    maximumCount: MixOrderRequest.largestCount),
                "energy": .oneOf(
                    MixOrder.Energy.allCases.map(\.rawValue),
                    "`none`: does not matter. `rising`: from calm to lively. `falling`: from lively to calm. `wave`: up and down, once for about twelve tracks.",
                    standard: MixOrder.Energy.none.rawValue
                ).orNull.optional,
                "keep_first": JSONSchema.flag("Whether the first track stays first.").orNull.optional,
                "keep_last": JSONSchema.flag("Whether the last track stays last.").orNull.optional,
            ], answer: .json("MixOrder", "The order."), errors: [.noSuchTracks, .tooManyItems])
    ]

    package static let schemas: [String: JSONSchema] = [
        "MixOrder": [
            "track_ids": .array(of: .identifier(), "IDs of all tracks in order."),
            "steps": .array(of: .named("MixStep"), "From each track to the next."),
        ],
        "MixStep": [
            "from_id": .identifier("ID of the first of both tracks."),
            "to_id": .identifier("ID of the second."),
            "score": .named("TransitionScore"),
            "reason": .text("Why they go together, or why not, as a sentence."),
        ],
    ]
}
