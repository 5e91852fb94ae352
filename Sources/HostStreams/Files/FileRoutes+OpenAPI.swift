package import APIDescription
internal import HTTPServer
internal import MusicShared

extension FileRoutes {
    package static let operations = [
        operation(Routes.file, "file", "Get the original file of a track"),
        operation(
            Routes.fileWithExtension, "fileWithExtension",
            "Get the original file of a track, for players that expect an extension"),
    ]

    private static func operation(_ path: String, _ id: String, _ summary: String) -> OpenAPIOperation {
        OpenAPIOperation(
            method: .get, path: path, id: id, summary: summary, tag: "Files",
            parameters: [.trackID, .audioHash, .firstByte], answer: "The file, byte for byte.",
            contents: [.bytes("audio/mpeg")], hasEntityTag: true, allowsRanges: true,
            errors: [.noTrack, .noAudio, .badParameter] + OpenAPIError.file)
    }
}
