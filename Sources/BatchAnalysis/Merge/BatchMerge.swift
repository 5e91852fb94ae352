internal import Analyzer
internal import FileSystem
internal import Foundation
package import LibraryStore
internal import MusicFiles

/// Adds the results of a run to a library.
///
/// One part after the other, in a few transactions each: a killed merge continues where it was, and merging again changes nothing.
/// Memory does not grow with the number of tracks.
package struct BatchMerge {
    private let run: BatchRun
    private let plan: BatchPlan
    private let lock: SharedPassLock
    private let binding: MusicBinding?
    private let music: [UInt8]?
    private let library: LibraryStore
    private let frames: SpectrumStore

    /// The result of a merge.
    package struct Summary: Sendable, Equatable {
        /// Number of parts that were merged.
        package var partCount = 0
        /// Parts without results.
        package var missing: [Int] = []
        /// The changes to the library.
        package var changes = PartMergeResult()
        /// Tracks whose spectra were added.
        package var spectraCount = 0
    }

    /// Opens the library, which is created if it does not exist, and locks out passes.
    /// - Throws: `StoreError` `passRunning` if a pass is running, `otherMusic` if the library is that of another music folder;
    ///   `DatabaseError` if a database cannot be used.
    package init(_ run: BatchRun, _ plan: BatchPlan, into data: DataFolder) throws {
        self.run = run
        self.plan = plan
        lock = SharedPassLock(try PassLock(data))
        let folder: MusicFolder? =
            switch plan.root {
            // The machine that merges need not have the music.
            case .folder(let root): try? MusicFolder(root: root)
            case .bucket: nil
            }
        binding = try folder.map { try MusicBinding(data, to: $0) }
        music = folder?.pathBytes
        library = try LibraryStore(data)
        frames = try SpectrumStore(data)
    }

    /// Merges all parts that have results, then measures the albums whose tracks have changed.
    /// - Parameters:
    ///   - isCancelled: called before each part; true ends the merge with what was merged so far.
    ///   - progress: called after each part with the number of parts examined, and the total.
    package func merge(
        isCancelled: () -> Bool = { false }, progress: (Int, Int) -> Void = { _, _ in }
    ) throws -> Summary {
        var summary = Summary()
        let complete = try run.partsWithResults(of: plan.partCount)
        for number in 0..<plan.partCount where !isCancelled() {
            if complete.contains(number) {
                try merge(part: number, &summary)
            } else {
                summary.missing.append(number)
            }
            progress(number + 1, plan.partCount)
        }
        try library.measureOutdatedAlbums()
        try library.checkpoint()
        try frames.checkpoint()
        return summary
    }

    /// Stores the spectra first, so that every track in the library has its spectra.
    private func merge(part number: Int, _ summary: inout Summary) throws {
        let results = try run.local(.results, ofPart: number)
        let spectra = try PartResults.spectra(at: results.path)
        // Not fetched from a bucket if the library knows all of them.
        var local: LocalRunFile?
        summary.spectraCount += try frames.merge(spectra) { range in
            let file = try local ?? run.local(.spectra, ofPart: number)
            local = file
            let bytes = try FileDescriptor.open(file.path).read(range.count, at: range.lowerBound)
            guard bytes.count == range.count else {
                throw BatchError(
                    .run, "is shorter than the results say; run the part again",
                    place: run.place(of: .spectra, ofPart: number))
            }
            return bytes
        }
        let presence = music.map { music in
            { (path: RelativePath) in (try? Files.status(of: music + [UInt8(ascii: "/")] + path.bytes)) != nil
            }
        }
        // Without the music folder no file is known to be missing, so no track has moved.
        summary.changes += try library.merge(partAt: results.path, isPresent: presence ?? { _ in true })
        summary.partCount += 1
    }
}
