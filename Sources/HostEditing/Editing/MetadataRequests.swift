internal import APIDescription
internal import HTTPServer
internal import MusicShared

/// The body of `PATCH /edit-metadata`, and each item of a batch: a file and the fields to change.
struct MetadataEdit: JSONContent, Sendable {
    let relativePath: String?
    let id: Int?
    /// The state that the file must be in, from an earlier response; used by batches.
    let etag: String?
    let changes: TagChanges

    private static let fileKeys = ["relative_path", "id", "etag"]
    static let keys = fileKeys + TagChanges.keys

    private enum CodingKeys: String, CodingKey {
        case id, etag
        case relativePath = "relative_path"
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        relativePath =
            values.contains(.relativePath)
            ? try values.decode(String.self, forKey: .relativePath) : nil
        id = values.contains(.id) ? try values.decode(Int.self, forKey: .id) : nil
        etag = values.contains(.etag) ? try values.decode(String.self, forKey: .etag) : nil
        if let id, !JSONSchema.identifiers.contains(id) {
            throw DecodingError.dataCorruptedError(
                forKey: .id, in: values, debugDescription: "not a valid track ID")
        }
        changes = try TagChanges(from: decoder, besides: Self.fileKeys)
    }
}

/// The body of `PATCH /batch-edit-metadata`: individual edits, or one change for many files.
struct MetadataBatch: JSONContent {
    let edits: [MetadataEdit]
    /// The changes for all files of the lists.
    let changes: TagChanges?
    let selection: SelectionLists
    /// The edit of an earlier request that this one continues.
    let editID: Int?

    static let keys = ["edits", "changes", "edit_id"] + SelectionLists.keys

    /// Maximum number of edits per request.
    static let largestCount = 2_000

    private enum CodingKeys: String, CodingKey {
        case edits, changes
        case editID = "edit_id"
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        edits = try values.decode(.edits, orElse: [])
        changes = values.contains(.changes) ? try values.decode(TagChanges.self, forKey: .changes) : nil
        selection = try SelectionLists(from: decoder)
        editID = try values.decodeEditID(.editID)
    }
}
