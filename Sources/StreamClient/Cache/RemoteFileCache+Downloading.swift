internal import Foundation
internal import MusicShared

extension RemoteFileCache {
    /// Downloads a file completely, reconnecting as often as needed.
    func download(_ trackID: Int, _ number: Int) async throws(ClientError) {
        var failures = 0
        while true {
            try check(trackID, number)
            let before = entries[trackID]?.receivedBytes ?? 0
            do throws(ClientError) {
                try await fetchRest(of: trackID, number)
                return
            } catch {
                try check(trackID, number)
                guard error.isTransient else { throw error }
                if (entries[trackID]?.receivedBytes ?? 0) > before { failures = 0 }
                let isAway = error.transport != nil && hasAnswered
                guard failures < options.retrySeconds.count || isAway else { throw error }
                let wait = options.retrySeconds[safe: failures] ?? options.retrySeconds.last ?? 1
                failures += 1
                do { try await Task.sleep(for: .seconds(wait)) } catch {
                    throw ClientError(.cancelled, "cancelled")
                }
            }
        }
    }

    private func check(_ trackID: Int, _ number: Int) throws(ClientError) {
        try Self.checkCancellation()
        guard isCurrent(trackID, number) else { throw ClientError(.cancelled, "cancelled") }
    }

    /// Downloads the missing part over one connection.
    private func fetchRest(of trackID: Int, _ number: Int) async throws(ClientError) {
        var request = TransportRequest("", timeouts: TransportTimeouts(idle: options.idleSeconds))
        let part = path(trackID, ".part")
        // Use the size on disk: the recorded count may be behind if the program was killed.
        let offset = (try? await disk.perform { Self.size(part) }) ?? 0
        try check(trackID, number)
        if offset > 0, let tag = entries[trackID]?.record.entityTag, !tag.hasPrefix("W/") {
            request.range = TransportRange(first: offset)
            request.fields["if-range"] = tag
        }
        let response = try await connection.fetch(Routes.path(Routes.file, trackID), base: request)
        hasAnswered = true
        try check(trackID, number)
        let start: Int
        switch response.status {
        case 206:
            guard let range = response.contentRange?.range, range.lowerBound == offset,
                let total = response.contentRange?.total
            else { throw ClientError(.notAHost, "The host sent a different range of the file.", status: 206) }
            start = offset
            entries[trackID]?.record.totalBytes = total
        case 416:
            // The file is already complete, or larger than the host's.
            guard let total = response.contentRange?.total, total == offset, offset > 0 else {
                disk.enqueue { try? FileManager.default.removeItem(atPath: part) }
                entries[trackID]?.record.entityTag = nil
                throw ClientError(TransportError(.connectionLost, "The file has changed."))
            }
            entries[trackID]?.record.totalBytes = total
            return try await complete(trackID, number, bytes: offset)
        default:
            start = 0
            entries[trackID]?.record.totalBytes = response.contentLength
            entries[trackID]?.record.entityTag = response.fields["etag"]
        }
        store(trackID)
        makeRoom(for: (entries[trackID]?.record.totalBytes ?? 0) - start)
        try await write(response.body, of: trackID, number, to: part, from: start)
    }

    private func write(
        _ body: TransportBody, of trackID: Int, _ number: Int, to part: String, from start: Int
    ) async throws(ClientError) {
        var count = start
        do {
            let file = try await disk.perform {
                if !FileManager.default.fileExists(atPath: part) {
                    guard
                        FileManager.default.createFile(
                            atPath: part, contents: nil, attributes: [.posixPermissions: 0o600])
                    else { throw CocoaError(.fileWriteUnknown) }
                }
                let file = try FileHandle(forWritingTo: URL(filePath: part))
                try file.truncate(atOffset: UInt64(start))
                return file
            }
            defer { disk.enqueue { try? file.close() } }
            try check(trackID, number)
            if start < entries[trackID]?.receivedBytes ?? 0 { entries[trackID]?.version += 1 }
            entries[trackID]?.receivedBytes = start
            for try await piece in body {
                try check(trackID, number)
                if let total = entries[trackID]?.record.totalBytes, count + piece.count > total {
                    throw ClientError(.notAHost, "The host sent more bytes than the file has.")
                }
                try await disk.perform { try file.write(contentsOf: piece) }
                try check(trackID, number)
                count += piece.count
                entries[trackID]?.receivedBytes = count
                wake(trackID)
            }
        } catch let error as ClientError {
            throw error
        } catch let error as TransportError {
            throw ClientError(error)
        } catch {
            throw ClientError(.storage, "Cannot store the file in \(folder): \(error)")
        }
        try check(trackID, number)
        if let total = entries[trackID]?.record.totalBytes, count != total {
            throw ClientError(TransportError(.connectionLost, "The file ended early."))
        }
        entries[trackID]?.record.totalBytes = count
        try await complete(trackID, number, bytes: count)
    }

    private func complete(_ trackID: Int, _ number: Int, bytes: Int) async throws(ClientError) {
        let part = path(trackID, ".part")
        let format: CachedFormat
        do {
            let (folder, ends) = (folder, endings)
            format = try await disk.perform {
                let file = try FileHandle(forReadingFrom: URL(filePath: part))
                defer { try? file.close() }
                let head = try file.read(upToCount: CachedFormat.headByteCount)
                let format = CachedFormat(head: [UInt8](head ?? Data()))
                // An earlier version of the file may have another format.
                for other in ends where other != ".part" && other != format.ending {
                    try? FileManager.default.removeItem(atPath: "\(folder)/\(trackID)\(other)")
                }
                try PrivateFile.move(part, to: "\(folder)/\(trackID)\(format.ending)")
                return format
            }
        } catch {
            throw ClientError(.storage, "Cannot store the file in \(folder): \(error)")
        }
        // Completed files also count if the download was deferred at the last moment, but not if it was removed or restarted.
        guard entries[trackID]?.downloadNumber == number else { throw ClientError(.cancelled, "cancelled") }
        entries[trackID]?.receivedBytes = bytes
        entries[trackID]?.format = format
        set(.complete, of: trackID)
    }
}
