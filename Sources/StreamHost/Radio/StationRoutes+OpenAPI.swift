internal import APIDescription
internal import HTTPServer
internal import LibraryStore
internal import MusicShared

extension StationRoutes {
    static let tag = "Radio stations"

    static let query = QueryParameter<String?>(
        "query", "Words that the names contain, in any case and without regard to accents.",
        .text(example: "jazz"))
    static let after = QueryParameter<Int?>(
        id: "after", "Return only segments after this number.", example: 217_000_000)

    private static let name = JSONSchema.text(
        "Name.", example: "Radio Eins")
    private static let streamURL = JSONSchema.text(
        "Address of the stream, or of a PLS, M3U, ASX or HLS list; `http` or `https`.",
        example: "https://radio.example/live.mp3")
    private static let homepageURL = JSONSchema.text(
        "Address of the station's web page.", example: "https://radio.example")
    private static let relayErrors: [APIError] = [.tooManyRelays, .stationFailed]

    static let operations = [
        operation(
            .get, Routes.stations, "radioStations", "List the radio stations",
            details: "OpenSubsonic's internet radio stations are the same list.", parameters: [query],
            answer: .json("StationList", "The stations by name.").tagged),
        operation(
            .post, Routes.stations, "addRadioStation", "Add a radio station", role: .owner,
            body: ["name": name, "stream_url": streamURL, "homepage_url": homepageURL.orNull.optional],
            answer: .json("Station", "The station.").created, errors: [.tooManyStations, .listeningAway]),
        operation(
            .post, Routes.stationCheck, "checkRadioStation", "Find the stream behind an address",
            details: """
                The host connects to the address and waits for audio, for at most 20 seconds. It follows lists and redirections, and \
                refuses addresses in private networks unless the setting `radio-networks` lists them.
                """, role: .owner,
            body: ["stream_url": streamURL],
            answer: .json("StationCheck", "The stream."), errors: [.stationFailed]),
        operation(
            .get, Routes.station, "radioStation", "Get a radio station", access: .keyOrToken,
            answer: .json("Station", "The station.").tagged),
        operation(
            .patch, Routes.station, "changeRadioStation", "Change a radio station",
            details: "Fields that are left out stay as they are.", role: .owner,
            body: [
                "name": name.orNull.optional, "stream_url": streamURL.orNull.optional,
                "homepage_url": .text("Address of the station's web page; empty to remove it.").orNull
                    .optional,
            ],
            answer: .json("Station", "The station."), errors: [.listeningAway]),
        operation(
            .delete, Routes.station, "removeRadioStation", "Remove a radio station", role: .owner,
            answer: .done("The station was removed."), errors: [.listeningAway]),
        operation(
            .get, Routes.stationPlaylist, "radioStationPlaylist", "Play a radio station as live HLS",
            details: """
                Up to the last hour, with the time and title of each segment. The host connects to the station once for all \
                listeners, and disconnects some time after the last request.
                """, access: .keyOrToken,
            answer: .content(
                .text(HLSManifestGenerator.contentType), "The playlist; it changes every few seconds."),
            errors: relayErrors),
        operation(
            .get, Routes.stationTimeline, "radioStationTimeline",
            "List the segments and titles of a radio station",
            details:
                "Like the playlist, it connects the host to the station. The first answers may contain no segments yet.",
            access: .keyOrToken, parameters: [after],
            answer: .json("StationTimeline", "The last hour, as far as it is kept."), errors: relayErrors),
        operation(
            .get, Routes.stationMP3Segment, "radioStationMP3Segment", "Get a segment with MP3 frames",
            access: .keyOrToken, parameters: [number],
            answer: .content(
                .bytes("audio/mpeg"), "An ID3 tag of 73 bytes with a timestamp, then whole MP3 frames."),
            errors: [.noSuchSegment.when("The segment is not kept.")]),
        operation(
            .get, Routes.stationAACSegment, "radioStationAACSegment", "Get a segment with AAC frames",
            access: .keyOrToken, parameters: [number],
            answer: .content(
                .bytes("audio/aac"), "An ID3 tag of 73 bytes with a timestamp, then whole ADTS frames."),
            errors: [.noSuchSegment.when("The segment is not kept.")]),
    ]

    private static let number = OpenAPIParameter.path(
        "number", "Number of the segment.", .identifier(example: 217_000_000))

    static let schemas: [String: JSONSchema] = [
        "Station": .object(
            [
                "id": .identifier("Station ID."), "name": .text("Name.", example: "Radio Eins"),
                "stream_url": .text(
                    "Address of the stream or list; only for owners, since it can contain a password.",
                    example: "https://radio.example/live.mp3"
                ).optional,
                "homepage_url": homepageURL.optional,
                "is_relayed": .flag("Whether the host is connected to the station."),
                "title": .text("The title on air, if known.", example: "Low - Was").optional,
            ], "An internet radio station."),
        "StationList": .object(
            [
                "items": .array(of: .named("Station"), "The stations."),
                "can_edit": .flag("Whether the caller may edit the list."),
            ], "The radio stations."),
        "StationCheck": .object(
            [
                "delivery": .oneOf(StationCheck.Delivery.self, "One endless response, or HLS."),
                "format": .oneOf(StationFormat.self, "Format of the audio."),
                "name": .text("The station's own name.").optional, "genre": .text("Genre.").optional,
                "homepage_url": .text("Address of the station's web page.").optional,
                "bit_rate": .integer("Bits per second, as stated.").optional,
            ], "The stream behind an address."),
        "StationTimeline": timeline,
        "StationRecordingState": StationRecordingRoutes.state,
    ]

    private static let timeline = JSONSchema.object(
        [
            "state": .oneOf(StationTimeline.State.self, "State of the host's connection."),
            "message": .text("Why there is no connection.").optional,
            "segments": .array(
                of: [
                    "number": .identifier("Number; increases by one."),
                    "start_ms": milliseconds("Time of the first sample"),
                    "duration_seconds": .seconds("Duration"),
                    "format": .oneOf(StationFormat.self, "Format of the frames."),
                    "frame_count": .integer("Number of frames."),
                    "samples_per_frame": .integer("Samples per channel of each frame."),
                    "sample_rate_hz": .integer(
                        "Sample rate that the frames state; AAC may decode to twice as much."),
                    "channels": .integer("Number of channels that the frames state."),
                    "is_discontinuity": .flag("Whether it does not continue the segment before it."),
                ], "The segments, in order."),
            "first_number": .identifier("Number of the oldest segment that is kept.").optional,
            "first_ms": milliseconds("Time of the oldest sample that is kept").optional,
            "titles": .array(
                of: [
                    "start_ms": milliseconds("Time of the audio with which it arrived"),
                    "text": .text("The title, usually \"artist - title\"; may be empty."),
                ], "The titles, in order."),
            "recording": .named("StationRecordingState").optional,
        ], "The last hour of a station.")

    private static func milliseconds(_ meaning: String) -> JSONSchema {
        .number("\(meaning), in milliseconds since 1970.", minimum: 0)
    }
}
