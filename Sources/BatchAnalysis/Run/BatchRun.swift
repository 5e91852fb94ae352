internal import FileSystem
internal import HTTPClient
internal import SQLiteDatabase

/// The folder of a run, or its prefix in a bucket: the plan, and the results of each part.
///
///     RUN/plan.sqlite               the tracks of each part
///     RUN/parts/000012/spectra.bin  the spectra of part 12, one after the other
///     RUN/parts/000012/report.json  how long it took
///     RUN/parts/000012/results.sqlite  tracks, analyses and failures
///     RUN/crashes/000012            which tracks of part 12 have crashed the program, if any
///
/// `results.sqlite` is written last: a part that has it is complete. Each file gets its name when it is complete and stored,
/// so two processes that work on the same part, here or on other machines, do not disturb each other.
package struct BatchRun: Sendable {
    private let storage: any RunStorage

    /// Refers to a run, which need not exist.
    /// - Parameters:
    ///   - place: the path of a folder, or the address of a bucket (`s3://BUCKET/PREFIX`), whose service and credentials are those of
    ///     the environment variables.
    ///   - isCancelled: called before each request to a bucket; true ends it with the error `cancelled`.
    /// - Throws: `BatchError` `run` if it is neither.
    package init(
        at place: String, isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(BatchError) {
        guard place.hasPrefix("s3:") else {
            storage = RunFolder(path: place)
            return
        }
        guard case .bucket(let name, let prefix) = TrackRoot(text: place) else {
            throw BatchError(.run, "give the address of a bucket as s3://BUCKET/PREFIX", place: place)
        }
        storage = RunBucket(.ofEnvironment(isCancelled: isCancelled), bucket: name, prefix: prefix)
    }

    /// The folder's path, or the address in the bucket.
    package var place: String { storage.place }

    // MARK: The plan

    private static let planName = "plan.sqlite"

    /// The path or address of the plan.
    var plan: String { "\(place)/\(Self.planName)" }

    /// A local folder for a plan that is not complete yet.
    var scratchFolder: String { get throws { try storage.scratchFolder } }

    func hasPlan() throws -> Bool { try storage.hasFile(Self.planName) }

    /// Reads the plan; nil if it does not exist.
    func readPlan<Result>(_ body: (Database) throws -> Result) throws -> Result? {
        try storage.read(database: Self.planName, body)
    }

    /// Stores the plan, which is in a complete file.
    func storePlan(_ file: borrowing FileDescriptor) throws { try storage.store(file, as: Self.planName) }

    // MARK: Parts

    /// A file of a part.
    enum PartFile: String, CaseIterable {
        case results = "results.sqlite"
        case spectra = "spectra.bin"
        case report = "report.json"
    }

    private static func digits(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }

    private static func folder(ofPart number: Int) -> String { "parts/\(digits(number))" }

    private static func name(of file: PartFile, ofPart number: Int) -> String {
        "\(folder(ofPart: number))/\(file.rawValue)"
    }

    /// Whether a part has results.
    package func hasResults(ofPart number: Int) throws -> Bool {
        try storage.hasFile(Self.name(of: .results, ofPart: number))
    }

    /// Returns which of the first parts have results.
    func partsWithResults(of count: Int) throws -> Set<Int> {
        let names = (0..<count).map { Self.name(of: .results, ofPart: $0) }
        let existing = try storage.existing(names)
        return Set((0..<count).filter { existing.contains(names[$0]) })
    }

    /// Returns the content of a small file of those parts that have it.
    func contents(of file: PartFile, ofParts numbers: [Int]) throws -> [Int: [UInt8]] {
        let contents = try storage.contents(of: numbers.map { Self.name(of: file, ofPart: $0) })
        return Dictionary(
            uniqueKeysWithValues: numbers.compactMap { number in
                contents[Self.name(of: file, ofPart: number)].map { (number, $0) }
            })
    }

    /// The path or address of a file of a part.
    func place(of file: PartFile, ofPart number: Int) -> String {
        "\(place)/\(Self.name(of: file, ofPart: number))"
    }

    /// Makes a file of a part available to this process.
    func local(_ file: PartFile, ofPart number: Int) throws -> LocalRunFile {
        try storage.local(Self.name(of: file, ofPart: number))
    }

    /// Stores a file of a part, over an existing one.
    func store(_ file: borrowing FileDescriptor, as name: PartFile, ofPart number: Int) throws {
        try storage.store(file, as: Self.name(of: name, ofPart: number))
    }

    /// Deletes what processes that were killed have left in a part's folder.
    func clean(part number: Int) throws {
        try storage.clean(
            folder: Self.folder(ofPart: number), keeping: PartFile.allCases.map(\.rawValue))
    }

    // MARK: Crashes

    /// Opens the file of ``PartCrashes``, which is created if it does not exist.
    func crashFile(ofPart number: Int) throws -> CrashFile {
        try storage.crashFile(Self.crashName(ofPart: number))
    }

    /// Stores a copy of that file.
    func store(crashes file: borrowing FileDescriptor, ofPart number: Int) throws {
        try storage.store(file, as: Self.crashName(ofPart: number))
    }

    private static func crashName(ofPart number: Int) -> String { "crashes/\(digits(number))" }
}
