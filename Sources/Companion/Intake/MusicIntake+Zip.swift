internal import Foundation
internal import Tagging
internal import ZipArchive

extension MusicIntake {
    private static let bufferBytes = 1 << 18

    /// Takes in what is named .mp3 in a zip, one file after the other, so that no more than one lies unpacked beside it.
    ///
    /// Names in the zip are told in the results and stand in for a missing title; no path is made of them.
    /// - Throws: where nothing can be had of the zip.
    func takeInZip(
        _ file: StagedFile, named fileName: String, edit: TagEdit
    ) throws(IntakeError) -> [IntakeResult] {
        try file.finish()
        let descriptor = openat(
            file.folder.descriptor, String(decoding: file.name, as: UTF8.self), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(errno, "the zip") }
        defer { close(descriptor) }
        let reader = try Self.mapped { () throws(ZipError) in try ZipReader(descriptor: descriptor) }
        let batch = try makeBatch()
        var budget = UnpackingBudget(limits, zipBytes: file.byteCount)
        var results: [IntakeResult] = []
        do throws(IntakeError) {
            while let entry = try Self.mapped({ () throws(ZipError) in try reader.next() }) {
                try budget.countEntry()
                let name = "\(fileName)/\(entry.name.prefix(1000))"
                if let result = try takeIn(entry, named: name, reader, batch, edit, &budget) {
                    try budget.countFile()
                    results.append(result)
                }
            }
        } catch {
            // What came before is in the music folder, and must be told.
            results.append(IntakeResult(fileName: fileName, outcome: .refused(error)))
        }
        guard !results.isEmpty else { throw IntakeError(.damagedArchive, "The zip holds no file.") }
        return results
    }

    /// - Returns: nil for what is no file, and for what systems add.
    private func takeIn(
        _ entry: ZipEntry, named name: String, _ reader: ZipReader, _ batch: StagedBatch, _ edit: TagEdit,
        _ budget: inout UnpackingBudget
    ) throws(IntakeError) -> IntakeResult? {
        guard entry.isFile, !entry.name.hasSuffix("/") else { return nil }
        // Beside music: attributes (macOS), thumbnails, covers.
        let isExtra = entry.name.hasPrefix("__MACOSX/") || entry.lastName.hasPrefix(".")
        let isTrack = entry.lastName.lowercased().hasSuffix(".mp3") && !isExtra
        let staged = isTrack && !entry.isEncrypted ? try makeFile(in: batch) : nil
        defer { staged.map { batch.folder.remove($0.name) } }
        if entry.isEncrypted {
            return isExtra
                ? nil
                : IntakeResult(
                    fileName: name,
                    outcome: .refused(IntakeError(.unreadableEntry, "The file needs a password.")))
        }
        do throws(IntakeError) {
            try Self.unpack(reader) { bytes throws(IntakeError) in
                try budget.count(bytes.count)
                staged?.append(bytes)
            }
        } catch {
            guard error.code == .unreadableEntry else { throw error }
            return IntakeResult(fileName: name, outcome: .refused(error))
        }
        if let staged { return takeInTrack(staged, named: name, edit: edit) }
        if isExtra { return nil }
        if entry.lastName.lowercased().hasSuffix(".zip") {
            return IntakeResult(
                fileName: name,
                outcome: .refused(
                    IntakeError(.nestedArchive, "A zip in a zip is not opened: send it by itself.")))
        }
        return IntakeResult(fileName: name, outcome: .ignored)
    }

    /// Reads a file of a zip to its end.
    private static func unpack(
        _ reader: ZipReader, _ take: (UnsafeRawBufferPointer) throws(IntakeError) -> Void
    ) throws(IntakeError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferBytes, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count: Int
            do throws(ZipError) {
                count = try reader.read(into: buffer)
            } catch {
                throw IntakeError(.unreadableEntry, error.message)
            }
            guard count > 0 else { return }
            try take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }

    private static func mapped<Value>(_ body: () throws(ZipError) -> Value) throws(IntakeError) -> Value {
        do {
            return try body()
        } catch {
            throw IntakeError(.damagedArchive, "The zip cannot be read: \(error.message)")
        }
    }
}

/// What a zip may still unpack to.
struct UnpackingBudget {
    private let limits: IntakeLimits
    private var bytesLeft: Int
    private var entriesLeft: Int
    private var filesLeft: Int

    init(_ limits: IntakeLimits, zipBytes: Int) {
        self.limits = limits
        let byRatio = zipBytes.multipliedReportingOverflow(by: limits.unpackedRatio)
        bytesLeft = min(
            limits.unpackedBytes,
            byRatio.overflow ? .max : byRatio.partialValue + IntakeLimits.unpackedAllowance)
        entriesLeft = limits.zipEntries
        filesLeft = limits.files
    }

    mutating func count(_ bytes: Int) throws(IntakeError) {
        bytesLeft -= bytes
        guard bytesLeft >= 0 else {
            throw IntakeError(.archiveBomb, "The zip unpacks to far more than music would.")
        }
    }

    mutating func countEntry() throws(IntakeError) {
        entriesLeft -= 1
        guard entriesLeft >= 0 else {
            throw IntakeError(
                .tooManyFiles, "The zip holds more than \(limits.zipEntries) files and folders.")
        }
    }

    mutating func countFile() throws(IntakeError) {
        filesLeft -= 1
        guard filesLeft >= 0 else {
            throw IntakeError(.tooManyFiles, "The zip holds more than \(limits.files) files.")
        }
    }
}
