internal import Analyzer
internal import LibraryStore
internal import MusicFiles
internal import Synchronization

/// The cue sheets beside an object of a bucket, fetched with it.
struct BucketCueSheets: CueSheetSource {
    /// The sheets that were fetched last, since the files of a folder follow each other.
    final class Cache: Sendable {
        private let sheets = Mutex<[PlannedSheet: [UInt8]]>([:])

        /// Returns the bytes of some sheets, and forgets all others.
        /// - Parameter fetch: returns the bytes of a sheet that is not known yet.
        fileprivate func contents(
            of wanted: [PlannedSheet], fetch: (PlannedSheet) throws -> [UInt8]
        ) rethrows -> [PlannedSheet: [UInt8]] {
            let known = sheets.withLock { $0 }
            var found: [PlannedSheet: [UInt8]] = [:]
            for sheet in wanted { found[sheet] = try known[sheet] ?? fetch(sheet) }
            sheets.withLock { [found] in $0 = found }
            return found
        }
    }

    private let sheets: FolderCueSheets
    private let contents: [[UInt8]: [UInt8]]
    private let names: [String]

    /// Fetches the sheets of a track.
    /// - Parameter fetch: returns the bytes of a sheet.
    init(of track: PlannedTrack, cache: Cache, fetch: (PlannedSheet) throws -> [UInt8]) throws {
        sheets = FolderCueSheets(
            track.sheets.map { FolderCueSheets.File(name: $0.path.nameBytes, state: $0.file) })
        names = track.divisibleNames
        let read = Set(
            sheets.files.filter { $0.state.size <= FolderCueSheets.largestSheet }.map(\.name))
        let wanted = track.sheets.filter { read.contains($0.path.nameBytes) }
        let found = try cache.contents(of: wanted, fetch: fetch)
        contents = Dictionary(
            found.map { ($0.path.nameBytes, $1) }, uniquingKeysWith: { first, _ in first })
    }

    func cueSheets(beside file: RelativePath) -> FolderCueSheets { sheets }

    func contents(of sheet: FolderCueSheets.File, beside file: RelativePath) -> [UInt8]? {
        contents[sheet.name]
    }

    func divisibleNames(beside file: RelativePath) -> [String] { names }
}
