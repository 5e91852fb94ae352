package import APIDescription
internal import HTTPServer
internal import MusicShared

extension SpectrumRoutes {
    package static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.frames, id: "frames",
            summary: "Get a track's spectrum frames by path",
            details: """
                Frame k is at time k / `fps`. With fewer bands, each band is the maximum of the stored bands whose centres \
                lie in it. At a lower rate, each band of a frame is the maximum of the stored frames nearest to its time; at \
                a higher rate, levels are interpolated linearly in dB between the two neighbours. The first frame of a time \
                window is number ceil(`start_seconds` · `fps`); a window without frames returns an empty array. With \
                `Accept: application/octet-stream` the response has the binary format of `/tracks/{id}/visualizer`.
                """, tag: "Companion", access: .key,
            parameters: [
                .relativePath,
                .query(
                    "fps", "Frames per second; as stored (30) by default.",
                    .integer(minimum: SpectrumQuery.rates.lowerBound, maximum: SpectrumQuery.rates.upperBound)
                ),
                .query(
                    "bands", "Bands per frame; as stored (64) by default.",
                    .integer(
                        minimum: SpectrumQuery.bandCounts.lowerBound,
                        maximum: SpectrumQuery.bandCounts.upperBound)),
                .query(
                    "start_seconds", "Start of the window in seconds.",
                    .number(minimum: 0, maximum: SpectrumQuery.latest)),
                .query(
                    "end_seconds", "End of the window in seconds, exclusive.",
                    .number(minimum: 0, maximum: SpectrumQuery.latest)),
                .query(
                    "type", "Type of the levels: `uint8` from 0 to 255, or `float32` from 0 to 1.",
                    .oneOf(["uint8", "float32"], standard: "uint8")),
            ], answer: "The spectrum frames.",
            contents: [.json(.named("SpectrumArray")), .bytes("application/octet-stream")],
            otherAnswers: [.pending], hasEntityTag: true, allowsRanges: true,
            errors: [
                .missingParameter, .badParameter,
                OpenAPIError(
                    status: .serviceUnavailable, code: "frames_changed",
                    meaning: "The frames are being replaced."),
            ] + OpenAPIError.ofPath)
    ]

    package static let schemas = [
        "SpectrumArray": JSONSchema.object([
            .always("relative_path", .text("Path relative to the music folder.")),
            .always("fps", .integer("Frames per second.", minimum: 1)),
            .always("bands", .integer("Bands per frame, lowest first.", minimum: 1)),
            .always(
                "floor_dbfs",
                .number("Level of value 0 in dBFS; the maximum is full scale.")),
            .always("frame_count", .integer("Number of frames in this response.")),
            .always("start_seconds", .seconds("Time of the first frame")),
            .always(
                "frames",
                .array(
                    of: .array(of: .number(minimum: 0, maximum: 255)),
                    "The level of each band, for each frame.")),
        ])
    ]
}
