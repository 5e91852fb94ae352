internal import Foundation
package import LibraryStore
package import MusicShared

/// Marks the tracks of deleted files as missing, and keeps those in unavailable folders.
package struct MissingTracks: Sendable {
    package let music: MusicFolder
    package let library: LibraryStore
    package let store: WorkStore

    /// Memberwise initializer.
    package init(music: MusicFolder, library: LibraryStore, store: WorkStore) {
        self.music = music
        self.library = library
        self.store = store
    }

    /// The result of a check.
    package struct Outcome {
        /// Tracks newly marked as missing.
        package var gone: [PushTrack] = []
        /// Files of tracks that are kept, by their unavailable folders.
        package var judgement = MissingFiles.Judgement()

        package var unavailable: [UnavailableFolder] { judgement.folders }
    }

    /// Checks all tracks after a scan of the whole folder, and stores which folders are mounted.
    /// - Parameter isPresent: whether the scan found a file.
    package func settle(
        after contents: MusicFolder.Contents, confirmed: Set<RelativePath?> = [],
        unless isPresent: (RelativePath) -> Bool
    ) throws -> Outcome {
        let mounted = try store.mountedFolders()
        let divisions = try library.divisions()
        func isShown(_ path: RelativePath) -> Bool {
            isPresent(path.audioFile) && path.isShown(divisions[path.audioFile])
        }
        var missing: [RelativePath] = []
        var availableCount = 0
        try library.forEachAvailablePath { path in
            availableCount += 1
            if !isShown(path) { missing.append(path) }
        }
        var files = MissingFiles(music, mounted: mounted)
        if let reason = contents.failure { files.unreadable[nil] = reason }
        for (folder, reason) in contents.unreadable { files.unreadable[folder] = reason }
        let outcome = try settle(
            missing, failures: try library.failurePaths().filter { !isPresent($0) }, &files,
            availableCount: { availableCount }, isFolderEmpty: contents.entries.isEmpty, confirmed, isShown)
        // An unmounted folder is remembered for as long as it has missing tracks.
        let kept = mounted.filter { outcome.judgement.keeps($0) }
        try store.setMountedFolders(contents.mounted.union(kept))
        return outcome
    }

    /// Checks the tracks that were at some paths or below them.
    package func settle(at places: [RelativePath], confirmed: Set<RelativePath?> = []) throws -> Outcome {
        guard !places.isEmpty else { return Outcome() }
        let isPresent: (RelativePath) -> Bool = { music.scannedEntry(at: $0) != nil }
        var missing: [RelativePath] = []
        var failures: [RelativePath] = []
        for place in places {
            try library.forEachAvailablePath(at: place) { if !shows($0) { missing.append($0) } }
            failures += try library.failurePaths(at: place).filter { !isPresent($0) }
        }
        guard !missing.isEmpty || !failures.isEmpty else { return Outcome() }
        var files = MissingFiles(music, mounted: try store.mountedFolders())
        return try settle(
            missing, failures: failures, &files, availableCount: library.availableCount, isFolderEmpty: false,
            confirmed, shows)
    }

    /// Whether the file of a track exists, and is shown as this track: not as tracks of a cue sheet instead of one, or the other way
    /// round.
    private func shows(_ path: RelativePath) -> Bool {
        let file = path.audioFile
        return music.scannedEntry(at: file) != nil && path.isShown((try? library.division(of: file)) ?? nil)
    }

    private func settle(
        _ missing: [RelativePath], failures: [RelativePath], _ files: inout MissingFiles,
        availableCount: () throws -> Int,
        isFolderEmpty: Bool, _ confirmed: Set<RelativePath?>, _ isPresent: (RelativePath) -> Bool
    ) throws -> Outcome {
        var outcome = Outcome()
        outcome.judgement = try files.judge(
            missing, availableCount: availableCount, isFolderEmpty: isFolderEmpty, confirmed: confirmed)
        let forgotten = failures.filter {
            if case .unavailable = files.place(of: $0) { false } else { true }
        }
        // Checked again: a file may have arrived while the folders were examined.
        outcome.gone = try library.markGone(
            outcome.judgement.gone.filter { !isPresent($0) }, forgetting: forgotten)
        return outcome
    }

    /// Returns a check whether a file may still exist although it is not visible. For one batch of work: what
    /// is known about folders is cached.
    package func presence() -> (RelativePath) -> Bool {
        var files: MissingFiles?
        // Read now: the result is called while the library is being written.
        let divisions = (try? library.divisions()) ?? [:]
        return { path in
            guard music.scannedEntry(at: path.audioFile) == nil else {
                return path.isShown(divisions[path.audioFile])
            }
            var looked = files ?? MissingFiles(music, mounted: (try? store.mountedFolders()) ?? [])
            defer { files = looked }
            if case .unavailable = looked.place(of: path) { return true }
            return false
        }
    }
}

extension RelativePath {
    /// Whether a track at this path is shown.
    /// - Parameter division: how its file is divided into tracks; nil if it is not.
    fileprivate func isShown(_ division: FileDivision?) -> Bool {
        guard let sheetTrack else { return division?.isDivided != true }
        return division?.trackNumbers.contains(sheetTrack.number) == true
    }
}

extension MissingFiles.Judgement {
    /// Whether tracks in a folder are kept.
    fileprivate func keeps(_ folder: RelativePath?) -> Bool {
        kept.values.contains { found in
            found.files.contains { file in folder.map { file.isInside($0) } ?? true }
        }
    }
}
