internal import Foundation

extension RemoteFileCache {
    /// Starts the most urgent downloads and defers less urgent ones.
    func schedule() {
        let wanted = entries.values.filter { entry in
            entry.priority != nil && (entry.record.state == .pending || entry.record.state == .downloading)
        }.sorted { one, other in
            (other.priority ?? .offline, one.order) < (one.priority ?? .offline, other.order)
        }
        let chosen = Set(wanted.prefix(options.parallelDownloads).map(\.record.trackID))
        for (id, entry) in entries where entry.download != nil && !chosen.contains(id) {
            entry.download?.cancel()
            entries[id]?.download = nil
            set(.pending, of: id)
        }
        for entry in wanted.prefix(options.parallelDownloads) where entry.download == nil {
            start(entry.record.trackID)
        }
    }

    private func start(_ trackID: Int) {
        let number = (entries[trackID]?.downloadNumber ?? 0) + 1
        entries[trackID]?.downloadNumber = number
        set(.downloading, of: trackID)
        entries[trackID]?.download = Task {
            do throws(ClientError) {
                try await self.download(trackID, number)
                self.finish(trackID, number, .complete)
            } catch {
                guard error.code != .cancelled else { return }
                self.finish(trackID, number, .failed(reason: error.description))
            }
        }
    }

    private func finish(_ trackID: Int, _ number: Int, _ state: CachedFile.State) {
        guard isCurrent(trackID, number) else { return }
        entries[trackID]?.download = nil
        if case .failed = state { entries[trackID]?.priority = nil }
        set(state, of: trackID)
        makeRoom(for: 0)
        schedule()
    }

    /// Whether a download has not been superseded.
    func isCurrent(_ trackID: Int, _ number: Int) -> Bool {
        entries[trackID]?.downloadNumber == number && entries[trackID]?.download != nil
    }

    /// Evicts the least recently used files until the given number of bytes fits.
    func makeRoom(for bytes: Int) {
        let removable = entries.values.filter { !$0.record.isKept }
        var used = removable.reduce(0) { $0 + $1.receivedBytes } + bytes
        let idle = removable.filter { entry in
            entry.download == nil && entry.receivedBytes > 0 && (entry.priority ?? .offline) < .next
        }.sorted { $0.record.lastUse < $1.record.lastUse }
        for entry in idle {
            guard used > options.limitBytes else { return }
            used -= entry.receivedBytes
            remove(entry.record.trackID)
        }
    }
}
