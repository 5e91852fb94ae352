internal import HTTPServer
internal import MusicShared

extension FileRoutes {
    static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.file, id: "file", summary: "The original file of a track",
            tag: "Files", parameters: [.trackID], answer: "The file, byte for byte.",
            contents: [.bytes("audio/mpeg")], hasEntityTag: true, allowsRanges: true,
            errors: [.noTrack] + OpenAPIError.file)
    ]
}
