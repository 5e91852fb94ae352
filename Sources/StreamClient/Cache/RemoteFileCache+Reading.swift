internal import Foundation

extension RemoteFileCache {
    /// Returns the content of a track's file from an offset on: downloaded data at once, the rest as it arrives.
    ///
    /// Throws ``TransportError`` if the download fails or the file is removed; the reader may retry from its current offset.
    public nonisolated func content(
        of trackID: Int, from offset: Int = 0, _ priority: CachePriority = .current
    ) -> TransportBody {
        let reader = CacheReader(offset: offset)
        return TransportBody { () async throws(TransportError) in
            do throws(ClientError) {
                return try await self.piece(of: trackID, priority, reader)
            } catch {
                throw error.transport
                    ?? TransportError(
                        error.code == .cancelled ? .cancelled : .badAnswer, error.description)
            }
        }
    }

    /// Maximum number of bytes returned at once.
    private static let pieceBytes = 1 << 16

    private func piece(
        of trackID: Int, _ priority: CachePriority, _ reader: CacheReader
    ) async throws(ClientError) -> [UInt8]? {
        if !reader.hasAsked {
            reader.hasAsked = true
            request(trackID, priority)
            schedule()
            reader.version = entries[trackID]?.version ?? 0
        }
        while true {
            try Self.checkCancellation()
            guard let entry = entries[trackID] else { throw ClientError(.notFound, "The file was removed.") }
            guard entry.version == reader.version else {
                throw ClientError(.notFound, "The file has changed on the host.")
            }
            if reader.offset < entry.receivedBytes {
                let bytes = try await read(
                    trackID, from: reader.offset,
                    atMost: min(Self.pieceBytes, entry.receivedBytes - reader.offset))
                // The file may have been replaced during the read.
                guard entries[trackID]?.version == reader.version else { continue }
                reader.offset += bytes.count
                if !bytes.isEmpty { return bytes }
            }
            switch entry.record.state {
            case .complete: return nil
            case .failed(let reason): throw ClientError(.refused, reason)
            default: await change(of: trackID)
            }
        }
    }

    private func read(_ trackID: Int, from offset: Int, atMost count: Int) async throws(ClientError)
        -> [UInt8]
    {
        // One of the files always exists, whose name changes when it is complete. Open it for each piece, since a restarted download creates a new file.
        let paths = endings.map { path(trackID, $0) }
        do {
            return try await disk.perform {
                let path = paths.first { FileManager.default.fileExists(atPath: $0) } ?? paths[0]
                let file = try FileHandle(forReadingFrom: URL(filePath: path))
                defer { try? file.close() }
                try file.seek(toOffset: UInt64(offset))
                return try file.read(upToCount: count).map { [UInt8]($0) } ?? []
            }
        } catch {
            throw ClientError(.storage, "Cannot read the cached file: \(error)")
        }
    }
}

/// The position of one reader of a file.
///
/// @unchecked: used within the cache's actor only, by one reader at a time.
private final class CacheReader: @unchecked Sendable {
    var offset: Int
    var hasAsked = false
    var version = 0

    init(offset: Int) { self.offset = max(0, offset) }
}
