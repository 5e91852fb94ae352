import Foundation
import TestSupport

/// Short MP3 files for music folders, created once per run.
enum MadeMusic {
    /// Eight different pieces of 12 s, in several stream formats.
    static let pieces: [[UInt8]] = (try? (0..<8).map { try piece($0) }) ?? []

    private static func piece(_ number: Int) throws -> [UInt8] {
        let channels = number % 4 == 3 ? 1 : 2
        let rate = number % 3 == 2 ? 32_000 : 44_100
        let pcm = PCM.music(
            frameCount: 12 * rate, sampleRate: rate, channelCount: channels, seed: UInt64(100 + number))
        let options = [["-b", "128"], ["-V", "4"], ["--abr", "160"]][number % 3]
        return try Encoders.lame(pcm, options + ["--resample", "\(Double(rate) / 1000)"])
    }

    /// Repeats the frames of one piece: a quick way to create a file of any length.
    static func long(megabytes: Int) throws -> [UInt8] {
        let unit = try Encoders.lame(PCM.music(frameCount: 44_100 * 30, seed: 7), ["-b", "128", "-t"])
        var bytes: [UInt8] = []
        bytes.reserveCapacity(megabytes << 20 + unit.count)
        while bytes.count < megabytes << 20 { bytes += unit }
        return bytes
    }
}

/// A music folder for a single test, with a separate data folder.
final class MusicFixture: Sendable {
    /// Nil for a fixture that is kept until the tests end.
    private let directory: TemporaryDirectory?
    let music: String
    let data: String

    var databases: Databases { Databases(folder: data) }

    /// Creates an empty music folder.
    init() throws {
        let directory = try TemporaryDirectory()
        self.directory = directory
        music = directory.file("music")
        data = directory.file("data")
        try FileManager.default.createDirectory(atPath: music, withIntermediateDirectories: true)
    }

    /// Creates an empty music folder that is removed when the tests end: for shared fixtures.
    init(shared name: String) throws {
        directory = nil
        let folder = try Corpora.folder(name)
        music = folder + "/music"
        data = folder + "/data"
        try FileManager.default.createDirectory(atPath: music, withIntermediateDirectories: true)
    }

    /// Creates a music folder with the given pieces, named "0.mp3" and so on.
    convenience init(pieces: Range<Int>) throws {
        try self.init()
        for number in pieces { try add(MadeMusic.pieces[number], as: "\(number).mp3") }
    }

    func file(_ name: String) -> String { music + "/" + name }

    /// Writes a file to the music folder, creating intermediate folders.
    func add(_ bytes: [UInt8], as name: String) throws {
        let url = URL(filePath: file(name))
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    /// Creates a hard link with another name, which need not be UTF-8.
    func link(_ name: String, as bytes: [UInt8]) throws {
        let target = Array((music + "/").utf8) + bytes + [0]
        let status = target.withUnsafeBytes { target in
            target.bindMemory(to: CChar.self).baseAddress.map { Glibc.link(file(name), $0) } ?? -1
        }
        guard status == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: file(name)) }

    func move(_ name: String, to other: String) throws {
        let target = URL(filePath: file(other))
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.moveItem(at: URL(filePath: file(name)), to: target)
    }

    /// Runs a pass.
    func pass(_ options: String..., wrapper: [String] = []) throws -> ProgramRun {
        try AnalyzeCLI.start([music, "--data", data] + options, wrapper: wrapper).wait()
    }

    /// Starts a pass.
    func start(_ options: String...) throws -> RunningProgram {
        try AnalyzeCLI.start([music, "--data", data] + options)
    }

    /// Runs a pass and returns its tracks by path.
    func tracks(_ options: [String] = []) throws -> [String: TrackLine] {
        try TrackLine.byPath(
            AnalyzeCLI.start([music, "--data", data, "--json", "--quiet"] + options).wait())
    }

    /// Creates a tag with one frame, to prepend to a stream.
    static func tag(title: String) -> [UInt8] {
        let text = [3] + Array(title.utf8)
        func synchsafe(_ number: Int) -> [UInt8] { [21, 14, 7, 0].map { UInt8(number >> $0 & 127) } }
        let frame = Array("TIT2".utf8) + synchsafe(text.count) + [0, 0] + text
        return Array("ID3".utf8) + [4, 0, 0] + synchsafe(frame.count) + frame
    }
}
