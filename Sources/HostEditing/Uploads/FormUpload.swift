internal import APIDescription
internal import HTTPServer
internal import MusicFiles

/// A multipart form being received: files are streamed to disk, other fields are kept in memory.
struct FormUpload {
    /// Maximum total size of the text fields in bytes.
    private static let fieldBytes = 256 << 10
    /// Maximum size of the cover in bytes.
    private static let coverBytes = 16 << 20

    private enum Target {
        case file(StagedFile)
        case cover([UInt8])
        case field(String, [UInt8])
        case nothing
    }

    private let intake: MusicIntake
    private let batch: StagedBatch
    private var target = Target.nothing
    private var fieldByteCount = 0
    /// Received files with their names, in order.
    private(set) var files: [(name: String, file: StagedFile)] = []
    private(set) var fields = UploadFields()

    init(_ intake: MusicIntake) throws {
        self.intake = intake
        batch = try intake.makeBatch()
    }

    /// Handles a parser event.
    /// - Throws: 413 if a limit is exceeded, 400 for an unknown field, 422 for an invalid value.
    mutating func take(_ event: MultipartParser.Event) throws {
        switch event {
        case .part(let part): target = try target(of: part)
        case .content(let bytes): try take(bytes)
        case .partEnd: try end()
        }
    }

    private mutating func target(of part: MultipartPart) throws -> Target {
        if part.name == "cover" { return .cover([]) }
        let isAudio = part.contentType?.lowercased().hasPrefix("audio/") == true
        guard part.fileName != nil || isAudio else { return .field(part.name, []) }
        // Browsers send an empty name if no file was chosen.
        let name = part.fileName ?? ""
        guard files.count < intake.limits.files else {
            throw APIError.tooManyFiles("Send at most \(intake.limits.files) files at a time.")
        }
        return .file(try takeFile(name))
    }

    private mutating func takeFile(_ name: String) throws -> StagedFile {
        let file = try intake.makeFile(in: batch)
        files.append((name, file))
        return file
    }

    private mutating func take(_ bytes: UnsafeRawBufferPointer) throws {
        switch target {
        case .file(let file): file.append(bytes)
        case .cover(var picture):
            guard picture.count + bytes.count <= Self.coverBytes else {
                throw APIError.contentTooLarge(
                    "The cover is larger than \(Self.coverBytes) bytes.", field: "cover")
            }
            // Release the other reference, or each append would copy the whole array.
            target = .nothing
            picture.append(contentsOf: bytes)
            target = .cover(picture)
        case .field(let name, var value):
            fieldByteCount += bytes.count
            guard fieldByteCount <= Self.fieldBytes else {
                throw APIError.contentTooLarge("The fields are larger than \(Self.fieldBytes) bytes.")
            }
            target = .nothing
            value.append(contentsOf: bytes)
            target = .field(name, value)
        case .nothing: break
        }
    }

    private mutating func end() throws {
        switch target {
        case .file(let file):
            if file.byteCount == 0, file.failure == nil, files.last?.name.isEmpty == true {
                files.removeLast()
            }
        case .cover(let picture): if !picture.isEmpty { fields.take(cover: picture) }
        case .field(let name, let value): try fields.take(name, String(decoding: value, as: UTF8.self))
        case .nothing: break
        }
        target = .nothing
    }
}
