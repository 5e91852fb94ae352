internal import FileSystem
internal import Foundation
internal import MusicShared
internal import Synchronization

/// The last hour of a station: segments in files of a folder, and its titles. The oldest ones are deleted as new ones arrive.
final class Timeshift: Sendable {
    /// A segment in the folder.
    struct Entry: Sendable {
        let segment: StationTimeline.Segment
        let byteCount: Int

        var endMilliseconds: Double { segment.startMilliseconds + segment.durationSeconds * 1000 }
    }

    private struct State {
        var entries: [Entry] = []
        var titles: [StationTimeline.Title] = []
        var byteCount = 0
        var nextNumber: Int
        /// Number of discontinuities in deleted segments.
        var lostDiscontinuities = 0
    }

    private static let mostTitles = 2000
    private static let longestTitle = 500

    let folder: String
    private let share: Int
    private let seconds: Double
    private let state: Mutex<State>

    /// Creates an empty timeshift.
    /// - Parameters:
    ///   - folder: a folder of its own; created, and emptied of what is there.
    ///   - firstNumber: the number of its first segment.
    init(folder: String, firstNumber: Int, settings: RelaySettings) throws(RelayError) {
        self.folder = folder
        share = settings.share
        seconds = settings.timeshiftSeconds
        state = Mutex(State(nextNumber: firstNumber))
        removeAll()
        do throws(SystemError) {
            try Files.makeFolder(folder, permissions: 0o700)
        } catch {
            guard error.kind == .alreadyExists else { throw Self.storage(error) }
        }
    }

    /// Deletes the folder.
    func removeAll() { try? FileManager.default.removeItem(atPath: folder) }

    /// Adds a segment, and deletes the oldest ones beyond the limits.
    func add(_ segment: StationSegment) throws(RelayError) {
        let bytes = segment.bytes
        guard bytes.count <= share else {
            throw RelayError(.storage, "the disk budget for radio is too small for a segment")
        }
        let (number, old) = state.withLock { state in
            (state.nextNumber, makeRoom(for: bytes.count, until: segment.endMilliseconds, &state))
        }
        for entry in old { try? Files.remove(path(of: entry.segment)) }
        let entry = Self.entry(segment, number, byteCount: bytes.count)
        do throws(SystemError) {
            let file = try FileDescriptor.open(path(of: entry.segment), for: .write, [.create, .truncate])
            try file.write(bytes)
        } catch {
            throw Self.storage(error)
        }
        state.withLock { state in
            state.nextNumber = number + 1
            state.entries.append(entry)
            state.byteCount += bytes.count
        }
    }

    private static func entry(_ segment: StationSegment, _ number: Int, byteCount: Int) -> Entry {
        let kind = segment.kind
        return Entry(
            segment: StationTimeline.Segment(
                number: number, startMilliseconds: segment.startMilliseconds,
                durationSeconds: segment.seconds, format: kind.format, frameCount: segment.frames.count,
                samplesPerFrame: kind.sampleCount, sampleRate: kind.sampleRate,
                channelCount: kind.channelCount, isDiscontinuity: segment.isDiscontinuity),
            byteCount: byteCount)
    }

    /// Takes out the oldest segments, so that one of `byteCount` bytes fits.
    private func makeRoom(for byteCount: Int, until end: Double, _ state: inout State) -> [Entry] {
        var total = state.byteCount + byteCount
        let oldest = end - seconds * 1000
        var count = 0
        for entry in state.entries {
            guard total > share || entry.endMilliseconds <= oldest else { break }
            total -= entry.byteCount
            count += 1
        }
        let old = Array(state.entries.prefix(count))
        state.entries.removeFirst(count)
        state.byteCount = total - byteCount
        state.lostDiscontinuities += old.count(where: \.segment.isDiscontinuity)
        if let start = state.entries.first?.segment.startMilliseconds {
            // The title that was on air at the start stays.
            let current = state.titles.lastIndex { $0.startMilliseconds <= start } ?? 0
            state.titles.removeFirst(current)
        }
        return old
    }

    /// Adds a title, unless it is on air already.
    /// - Returns: whether it is new.
    func add(title: String, atMilliseconds time: Double) -> Bool {
        let text = String(
            title.unicodeScalars.map { $0.value < 0x20 ? " " : Character($0) }.prefix(Self.longestTitle)
        )
        .trimmingCharacters(in: .whitespaces)
        return state.withLock { state in
            guard state.titles.last?.text ?? "" != text else { return false }
            if state.titles.count >= Self.mostTitles { state.titles.removeFirst() }
            state.titles.append(StationTimeline.Title(startMilliseconds: time, text: text))
            return true
        }
    }

    /// The title on air; nil if none was reported.
    var currentTitle: StationTimeline.Title? { state.withLock(\.titles.last) }

    /// The segments, titles and number of discontinuities before the first segment.
    var content: (entries: [Entry], titles: [StationTimeline.Title], lostDiscontinuities: Int) {
        state.withLock { ($0.entries, $0.titles, $0.lostDiscontinuities) }
    }

    /// Total size of the segments in bytes.
    var byteCount: Int { state.withLock(\.byteCount) }

    /// The path of a segment; nil if it is not kept.
    func path(ofSegment number: Int, _ format: StationFormat) -> String? {
        state.withLock { state in
            guard let first = state.entries.first?.segment.number,
                case let index = number - first, state.entries.indices.contains(index),
                state.entries[index].segment.format == format
            else { return nil }
            return path(of: state.entries[index].segment)
        }
    }

    /// Reads the frames of kept segments from a time on.
    func frames(fromMilliseconds time: Double) -> [(frame: StationFrame, milliseconds: Double)] {
        content.entries.filter { $0.endMilliseconds > time }.flatMap { entry in
            guard let file = try? FileDescriptor.open(path(of: entry.segment)),
                let bytes = try? file.read(entry.byteCount)
            else { return [(frame: StationFrame, milliseconds: Double)]() }
            var splitter = FrameSplitter()
            let frames = (try? splitter.take(Array(bytes.dropFirst(PackedAudioTimestamp.byteCount)))) ?? []
            return frames.enumerated().compactMap { number, frame in
                let start = entry.segment.startMilliseconds + Double(number) * frame.seconds * 1000
                return start >= time ? (frame, start) : nil
            }
        }
    }

    private func path(of segment: StationTimeline.Segment) -> String {
        "\(folder)/\(segment.number).\(segment.format.rawValue)"
    }

    private static func storage(_ error: SystemError) -> RelayError {
        RelayError(.storage, "the radio's timeshift cannot be written: \(error)")
    }
}
