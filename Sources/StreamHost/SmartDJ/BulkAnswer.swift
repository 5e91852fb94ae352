internal import APIDescription
internal import Catalogue
internal import Companion
internal import Foundation
internal import HostStreams
internal import HTTPServer
internal import LibraryStore
internal import MusicShared

/// Writes ``BulkProfiles`` in batches, so that only one batch is in memory at a time.
struct BulkAnswer {
    /// Number of paths looked up at a time.
    static let batch = 128

    let library: LibraryStore
    let unanalysed: UnanalysedTracks
    /// The paths without duplicates.
    let paths: [String]

    init(library: LibraryStore, unanalysed: UnanalysedTracks, paths: [String]) {
        self.library = library
        self.unanalysed = unanalysed
        // Compare bytes: canonically equivalent names may be different files.
        var seen: Set<[UInt8]> = []
        self.paths = paths.filter { seen.insert(Array($0.utf8)).inserted }
    }

    func response() async throws -> HTTPResponse {
        guard paths.count > Self.batch else {
            // Responses in memory can be compressed.
            var bytes: [UInt8] = []
            try await write { bytes += $0 }
            return Self.uncached(.json(bytes))
        }
        return Self.uncached(
            HTTPResponse(
                fields: [.contentType: "application/json"],
                body: .stream(ResponseStream { writer in try await write { try await writer.write($0) } })))
    }

    private static func uncached(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        response.fields[.cacheControl] = "no-cache"
        return response
    }

    private func write(_ send: ([UInt8]) async throws -> Void) async throws {
        let encoder = JSONEncoder.ofHost
        var pending: [PendingTrack] = []
        var failed: [FileFailure] = []
        var notFound: [String] = []
        var bytes = Array("{\"profiles\":{".utf8)
        var isFirst = true
        for start in stride(from: 0, to: paths.count, by: Self.batch) {
            let texts = paths[start..<min(paths.count, start + Self.batch)]
            let found = try library.catalogue { reader in
                try texts.map { text in try RelativePath(text: text).flatMap { try reader.profile(at: $0) } }
            }
            var missing: [String] = []
            for (text, profile) in zip(texts, found) {
                guard let profile else {
                    missing.append(text)
                    continue
                }
                if !isFirst { bytes.append(UInt8(ascii: ",")) }
                isFirst = false
                bytes += try encoder.encode(text)
                bytes.append(UInt8(ascii: ":"))
                bytes += try encoder.encode(profile)
            }
            for (text, finding) in zip(missing, try unanalysed.find(missing.map { RelativePath(text: $0) })) {
                switch finding {
                case .waiting(let place): pending.append(PendingTrack(relativePath: text, position: place))
                case .failed(let failure):
                    failed.append(
                        FileFailure(
                            relativePath: text, code: failure.errorCode, message: failure.message))
                case .absent: notFound.append(text)
                }
            }
            try await send(bytes)
            bytes = []
        }
        bytes += Array("},\"pending\":".utf8)
        bytes += try encoder.encode(pending)
        bytes += Array(",\"failed\":".utf8)
        bytes += try encoder.encode(failed)
        bytes += Array(",\"not_found\":".utf8)
        bytes += try encoder.encode(notFound)
        bytes.append(UInt8(ascii: "}"))
        try await send(bytes)
    }
}
