internal import HTTPServer
internal import MusicShared

extension FrameRoutes {
    static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.frames, id: "frames",
            summary: "Spectra to draw in time with a track, by its path",
            details: """
                Frame k of the track is the moment k / `fps`. Fewer bands: each is the largest of the stored bands whose \
                centres lie in it. A lower rate: each frame is, band by band, the largest of the stored frames nearest to its \
                moment; a higher rate: a straight line, in dB, between the two neighbours. Of a time window the first frame \
                is number ceil(`start_seconds` · `fps`); a window that holds no frame is answered with none. Asked for with \
                `Accept: application/octet-stream` the frames come in the binary form of `/tracks/{id}/visualizer`.
                """, tag: "Companion", access: .key,
            parameters: [
                .relativePath,
                .query(
                    "fps", "Frames a second; as stored (30) where it is left out.",
                    .integer(minimum: FrameQuery.rates.lowerBound, maximum: FrameQuery.rates.upperBound)),
                .query(
                    "bands", "Bands of a frame; as stored (64) where it is left out.",
                    .integer(
                        minimum: FrameQuery.bandCounts.lowerBound, maximum: FrameQuery.bandCounts.upperBound)),
                .query(
                    "start_seconds", "Where the window begins, in seconds.",
                    .number(minimum: 0, maximum: FrameQuery.latest)),
                .query(
                    "end_seconds", "Before which moment it ends, in seconds.",
                    .number(minimum: 0, maximum: FrameQuery.latest)),
                .query(
                    "type", "The numbers: from 0 to 255, or from 0 to 1.",
                    .oneOf(["uint8", "float32"], standard: "uint8")),
            ], answer: "The frames.",
            contents: [.json(.named("FrameArray")), .bytes("application/octet-stream")],
            otherAnswers: [.pending], hasEntityTag: true, allowsRanges: true,
            errors: [
                .missingParameter, .badParameter,
                OpenAPIError(
                    status: .serviceUnavailable, code: "frames_changed",
                    meaning: "The frames are being replaced."),
            ] + OpenAPIError.ofPath)
    ]

    static let schemas = [
        "FrameArray": JSONSchema.object([
            .always("relative_path", .text("Path in the music folder.")),
            .always("fps", .integer("Frames a second.", minimum: 1)),
            .always("bands", .integer("Bands of a frame, the lowest first.", minimum: 1)),
            .always(
                "floor_dbfs",
                .number("The level that 0 stands for, in dBFS; the largest value is full scale.")),
            .always("frame_count", .integer("Frames in this answer.")),
            .always("start_seconds", .seconds("The moment of the first frame")),
            .always(
                "frames",
                .array(
                    of: .array(of: .number(minimum: 0, maximum: 255)),
                    "For each frame the level of each band.")),
        ])
    ]
}
