internal import FileSystem
internal import Foundation

/// The folder of a run: the plan, and a folder with the results of each part.
///
///     RUN/plan.sqlite               the tracks of each part
///     RUN/parts/000012/spectra.bin  the spectra of part 12, one after the other
///     RUN/parts/000012/report.json  how long it took
///     RUN/parts/000012/results.sqlite  tracks, analyses and failures
///     RUN/crashes/000012            which tracks of part 12 have crashed the program, if any
///
/// `results.sqlite` is written last: a part that has it is complete. Each file gets its name when it is complete and on disk,
/// so two processes that work on the same part, here or on other machines, do not disturb each other.
package struct BatchRun: Sendable {
    /// The folder's path.
    package let path: String

    /// Refers to the folder of a run, which need not exist.
    package init(path: String) {
        self.path = path.hasSuffix("/") && path.count > 1 ? String(path.dropLast()) : path
    }

    /// The plan.
    package var plan: String { "\(path)/plan.sqlite" }

    /// A file of a part.
    enum PartFile: String, CaseIterable {
        case results = "results.sqlite"
        case spectra = "spectra.bin"
        case report = "report.json"
    }

    func folder(ofPart number: Int) -> String { "\(path)/parts/\(Self.digits(number))" }

    /// The file of ``PartCrashes``, in a folder that exists.
    func crashFile(ofPart number: Int) throws(BatchError) -> String {
        try Self.make("\(path)/crashes")
        return "\(path)/crashes/\(Self.digits(number))"
    }

    private static func digits(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }

    func file(_ file: PartFile, ofPart number: Int) -> String { "\(folder(ofPart: number))/\(file.rawValue)" }

    /// Whether a part has results.
    package func hasResults(ofPart number: Int) -> Bool {
        (try? Files.status(of: file(.results, ofPart: number)))?.kind == .file
    }

    /// Creates the folder, with its parents.
    func make() throws(BatchError) { try Self.make(path) }

    /// Creates the folder of a part, and deletes what killed processes have left in it.
    func make(part number: Int) throws(BatchError) {
        let path = folder(ofPart: number)
        try Self.make(path)
        guard let folder = try? Folder(path) else { return }
        for name in folder.names()
        where !PartFile.allCases.contains(where: { name.elementsEqual($0.rawValue.utf8) }) {
            // A process locks its new file until it is complete.
            if let file = try? folder.open(name, for: .readAndWrite), (try? file.lock(.exclusive)) == true {
                try? folder.removeFile(name)
            }
        }
    }

    private static func make(_ path: String) throws(BatchError) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw BatchError(.run, "cannot create the folder: \(error.localizedDescription)", place: path)
        }
    }
}
