internal import Analyzer
internal import LibraryStore
internal import MusicFiles

/// The cue sheets beside an object of a bucket, fetched with it.
struct BucketCueSheets: CueSheetSource {
    private let sheets: FolderCueSheets
    private let contents: [[UInt8]: [UInt8]]
    private let names: [String]

    /// Fetches the sheets of a track.
    /// - Parameter fetch: returns the bytes of a sheet.
    init(of track: PlannedTrack, fetch: (PlannedSheet) throws -> [UInt8]) throws {
        let files = track.sheets.map {
            FolderCueSheets.File(name: Self.name(of: $0.path), state: $0.file)
        }
        sheets = FolderCueSheets(files)
        names = track.divisibleNames
        var contents: [[UInt8]: [UInt8]] = [:]
        for (file, sheet) in zip(files, track.sheets) where file.state.size <= FolderCueSheets.largestSheet {
            contents[file.name] = try fetch(sheet)
        }
        self.contents = contents
    }

    private static func name(of path: RelativePath) -> [UInt8] {
        Array(path.bytes.reversed().prefix { $0 != UInt8(ascii: "/") }.reversed())
    }

    func cueSheets(beside file: RelativePath) -> FolderCueSheets { sheets }

    func contents(of sheet: FolderCueSheets.File, beside file: RelativePath) -> [UInt8]? {
        contents[sheet.name]
    }

    func divisibleNames(beside file: RelativePath) -> [String] { names }
}
