internal import MusicShared

/// A track of a cue sheet, which is a part of an audio file.
package struct SheetTrack: Hashable, Sendable {
    /// The audio file.
    package let file: RelativePath
    /// The track's number in the sheet, 1 to 99.
    package let number: Int
}

/// The paths of tracks that are parts of a file: `Album.flac/03` for track 3 of the cue sheet of `Album.flac`.
///
/// No file can have such a path, since the file system has no entries below a file; and where a folder has such a name, an entry of two
/// digits is no music file. So everything that opens, moves or deletes the file at a track's path fails for a part.
extension RelativePath {
    /// Creates the path of a track of a cue sheet.
    /// - Parameter number: 1 to 99.
    package init?(sheetTrack number: Int, of file: RelativePath) {
        guard 1...99 ~= number else { return nil }
        let digits = [number / 10, number % 10].map { UInt8(ascii: "0") + UInt8($0) }
        self.init(bytes: file.bytes + [UInt8(ascii: "/")] + digits)
    }

    /// The part of a file that the path names; nil for the path of a file.
    package var sheetTrack: SheetTrack? {
        let tail = bytes.suffix(3)
        guard tail.count == 3, tail.first == UInt8(ascii: "/"),
            tail.dropFirst().allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
            let number = Int(String(decoding: tail.dropFirst(), as: UTF8.self)), number > 0
        else { return nil }
        let start = bytes.dropLast(3).lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
        guard AudioFormat(fileName: Array(bytes[start..<bytes.count - 3])) != nil,
            let file = RelativePath(bytes: Array(bytes.dropLast(3)))
        else { return nil }
        return SheetTrack(file: file, number: number)
    }

    /// The file that contains the track: the path itself, unless it is that of a part.
    package var audioFile: RelativePath { sheetTrack?.file ?? self }
}
