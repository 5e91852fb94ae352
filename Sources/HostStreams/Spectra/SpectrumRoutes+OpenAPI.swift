package import APIDescription
internal import HTTPServer
internal import MusicShared

extension SpectrumRoutes {
    package static let tag = "Companion"

    package static let operations = [
        operation(
            .get, Routes.frames, "frames", "Get a track's spectrum frames by path",
            details: """
                Frame k is at time k / `fps`. With fewer bands, each band is the maximum of the stored bands whose centres \
                lie in it. At a lower rate, each band of a frame is the maximum of the stored frames nearest to its time; at \
                a higher rate, levels are interpolated linearly in dB between the two neighbours. The first frame of a time \
                window is number ceil(`start_seconds` · `fps`); a window without frames returns an empty array. With \
                `Accept: application/octet-stream` the response has the binary format of `/tracks/{id}/visualizer`.
                """,
            parameters: SpectrumQuery.parameters,
            answer: .content(
                .json(.named("SpectrumArray")), .bytes("application/octet-stream"),
                meaning: "The spectrum frames."
            ).tagged.ranged, otherAnswers: [.pending],
            errors: [.missingParameter, .invalidParameter, .framesChanged] + APIError.ofPath)
    ]

    package static let schemas: [String: JSONSchema] = [
        "SpectrumArray": [
            "relative_path": .text("Path relative to the music folder."),
            "fps": .integer("Frames per second.", minimum: 1),
            "bands": .integer("Bands per frame, lowest first.", minimum: 1),
            "floor_dbfs": .number("Level of value 0 in dBFS; the maximum is full scale."),
            "frame_count": .integer("Number of frames in this response."),
            "start_seconds": .seconds("Time of the first frame"),
            "frames": .array(
                of: .array(of: .number(minimum: 0, maximum: 255)),
                "The level of each band, for each frame."),
        ]
    ]
}
