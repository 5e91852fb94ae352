package import APIDescription
internal import HTTPServer
internal import MusicShared

extension FileRoutes {
    package static let tag = "Files"

    package static let operations = [
        file(Routes.file, "file", "Get the original file of a track"),
        file(
            Routes.fileWithExtension, "fileWithExtension",
            "Get the original file of a track, for players that expect an extension"),
    ]

    private static func file(_ path: String, _ id: String, _ summary: String) -> OpenAPIOperation {
        operation(
            .get, path, id, summary, access: .keyOrToken,
            parameters: [Query.audioHash, Query.firstByte],
            answer: .content(.bytes("audio/mpeg"), "The file, byte for byte.").tagged.ranged,
            errors: [.noSuchAudio] + APIError.ofFile)
    }
}
