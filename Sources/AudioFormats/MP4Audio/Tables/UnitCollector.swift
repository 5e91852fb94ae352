internal import AudioFrames

/// Collects the access units that tables and fragments state, in order.
struct UnitCollector {
    /// Size of the file in bytes.
    let fileSize: Int
    /// Positions of the units.
    private(set) var units: AccessUnitIndex
    /// Duration of the units in the media's time scale.
    private(set) var mediaDuration = 0
    /// Number of units in tables and fragments that were passed to the collector.
    private(set) var tableUnits = 0
    /// Number of units that lie beyond the end of the file.
    var missingUnits = 0
    /// Number of units without bytes, which are left out.
    private(set) var emptyUnits = 0
    /// Whether units share bytes, so that the rest was left out.
    private(set) var isOverlapping = false
    private(set) var lowest = Int.max
    private(set) var highest = 0

    init(fileSize: Int) {
        self.fileSize = fileSize
        // Lengths in samples are added later.
        units = AccessUnitIndex(usualSamples: 1, start: 0)
    }

    /// Adds a unit within the file.
    /// - Returns: whether more units make sense: false if those so far have more bytes than the file.
    mutating func append(_ range: Range<Int>, duration: Int) -> Bool {
        tableUnits += 1
        mediaDuration &+= duration
        guard !range.isEmpty, range.count <= MP4AudioIndex.longestUnit else {
            emptyUnits += 1
            return emptyUnits <= fileSize
        }
        guard units.byteCount + range.count <= fileSize else {
            isOverlapping = true
            return false
        }
        units.append(range, sampleCount: 1)
        lowest = min(lowest, range.lowerBound)
        highest = max(highest, range.upperBound)
        return true
    }
}
