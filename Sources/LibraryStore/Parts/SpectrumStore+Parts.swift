extension SpectrumStore {
    /// Maximum number of tracks whose spectra are stored in one transaction: the write-ahead log grows to their size.
    private static let batch = 32

    /// Adds spectra from a part's spectra file. Those of the same or a later version are kept.
    /// - Parameter read: reads bytes of the file; asked for at most 256 KiB at once.
    /// - Returns: the number of tracks whose spectra were added.
    /// - Throws: `DatabaseError` if they cannot be written or are incomplete, and errors of `read`.
    package func merge(_ spectra: [PartSpectra], reading read: (Range<Int>) throws -> [UInt8]) throws -> Int {
        var count = 0
        for start in stride(from: 0, to: spectra.count, by: Self.batch) {
            count += try add(spectra[start..<min(start + Self.batch, spectra.count)], read)
        }
        return count
    }
}
