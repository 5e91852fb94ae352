internal import FileSystem
internal import Foundation
internal import MusicShared
internal import Tagging
internal import ZipArchive

extension MusicIntake {
    private static let bufferBytes = 1 << 18

    /// Stores the music files of a zip, one after the other, so that only one file is unpacked at a time.
    ///
    /// Names in the zip appear in the results and replace a missing title; no path is made from them.
    /// - Throws: ``IntakeError`` if nothing can be read from the zip.
    func takeInZip(
        _ file: StagedFile, named fileName: String, edit: TagEdit
    ) throws(IntakeError) -> [IntakeResult] {
        try file.finish()
        let zip = try IntakeError.writing("the zip") { () throws(SystemError) in
            try file.folder.open(file.name)
        }
        let reader = try Self.mapped { () throws(ZipError) in try ZipReader(descriptor: zip.number) }
        let batch = try makeBatch()
        var budget = UnpackingBudget(limits, zipBytes: file.byteCount)
        var results: [IntakeResult] = []
        var covers = ZipCovers()
        do throws(IntakeError) {
            while let entry = try Self.mapped({ () throws(ZipError) in try reader.next() }) {
                try budget.countEntry()
                let name = "\(fileName)/\(entry.name.prefix(1000))"
                if let rank = Self.coverRank(of: entry), covers.wants(entry.name, rank: rank) {
                    try budget.countFile()
                    try takeCover(entry, rank: rank, named: name, reader, batch, &covers, &results, &budget)
                } else if let result = try takeIn(entry, named: name, reader, batch, edit, &budget) {
                    try budget.countFile()
                    covers.note(result, from: entry.name)
                    results.append(result)
                }
            }
        } catch {
            // The files before the error have been stored and must be reported.
            results.append(IntakeResult(fileName: fileName, outcome: .refused(error)))
        }
        guard !results.isEmpty else { throw IntakeError(.damagedArchive, "The zip contains no files.") }
        place(covers, &results)
        return results
    }

    /// The rank of an entry as a cover; nil for other entries.
    private static func coverRank(of entry: ZipEntry) -> Int? {
        guard entry.isFile, !entry.isEncrypted, !entry.name.hasPrefix("__MACOSX/") else { return nil }
        return CoverFileName.rank(Array(entry.lastName.utf8))
    }

    /// Unpacks a cover, which is stored once the tracks of the zip are known.
    private func takeCover(
        _ entry: ZipEntry, rank: Int, named name: String, _ reader: ZipReader, _ batch: StagedBatch,
        _ covers: inout ZipCovers, _ results: inout [IntakeResult], _ budget: inout UnpackingBudget
    ) throws(IntakeError) {
        let file = try batch.makeFile(limit: ZipCovers.mostBytes)
        do throws(IntakeError) {
            try Self.unpack(reader) { bytes throws(IntakeError) in
                try budget.count(bytes.count)
                file.append(bytes)
            }
        } catch {
            batch.folder.removeAll(file.name)
            guard error.code == .unreadableEntry else { throw error }
            results.append(IntakeResult(fileName: name, outcome: .refused(error)))
            return
        }
        let cover = ZipCovers.Cover(
            file: file, name: Array(entry.lastName.lowercased().utf8), rank: rank, index: results.count)
        results.append(IntakeResult(fileName: name, outcome: .ignored))
        let isPicture = file.failure == nil && ZipCovers.isPicture(file)
        let unused = isPicture ? covers.take(cover, from: entry.name) : cover
        if let unused { batch.folder.removeAll(unused.file.name) }
    }

    /// - Returns: nil for entries that are not files, and for files added by the operating system.
    private func takeIn(
        _ entry: ZipEntry, named name: String, _ reader: ZipReader, _ batch: StagedBatch, _ edit: TagEdit,
        _ budget: inout UnpackingBudget
    ) throws(IntakeError) -> IntakeResult? {
        guard entry.isFile, !entry.name.hasSuffix("/") else { return nil }
        // Attribute files of macOS and hidden files.
        let isExtra = entry.name.hasPrefix("__MACOSX/") || entry.lastName.hasPrefix(".")
        let isTrack = MusicFolder.isMusicFile(named: Array(entry.lastName.utf8)) && !isExtra
        let staged = isTrack && !entry.isEncrypted ? try makeFile(in: batch) : nil
        defer { staged.map { batch.folder.removeAll($0.name) } }
        if entry.isEncrypted {
            return isExtra
                ? nil
                : IntakeResult(
                    fileName: name,
                    outcome: .refused(IntakeError(.unreadableEntry, "The file is encrypted.")))
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
                    IntakeError(.nestedArchive, "Nested zip files are not unpacked; upload it separately.")))
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

/// The remaining limits while unpacking a zip.
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
                .tooManyFiles, "The zip contains more than \(limits.zipEntries) files and folders.")
        }
    }

    mutating func countFile() throws(IntakeError) {
        filesLeft -= 1
        guard filesLeft >= 0 else {
            throw IntakeError(.tooManyFiles, "The zip contains more than \(limits.files) files.")
        }
    }
}
