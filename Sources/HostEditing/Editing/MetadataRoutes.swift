internal import APIDescription
internal import Foundation
package import HTTPServer
internal import LibraryStore
internal import MusicFiles
internal import MusicShared
internal import Tagging
internal import Threads

/// Reads tags of files, and edits them one by one or in batches.
///
/// An edit is atomic and never changes the audio. A response's ETag identifies the state of the file; an edit
/// with `If-Match` (in batches: `etag`) is rejected if the file is in a different state.
package struct MetadataRoutes: DescribedRoutes {
    /// Maximum body size in bytes: the largest cover in Base64, plus texts.
    private static let contentLimit = TagEdit.maximumCoverBytes / 3 * 4 + (1 << 20)

    /// Bodies up to this size in bytes are not limited in number.
    private static let smallContent = 1 << 20

    private let edits: EditQueue
    private let files: EditTargets
    /// Limits the memory of requests with large bodies.
    private let largeContents = ConcurrencyLimit(2)

    package init(edits: EditQueue) {
        self.edits = edits
        files = EditTargets(music: edits.music, library: edits.library)
    }

    package func add(to routes: some RouteCollection) {
        routes.get(Routes.editMetadata) { request in
            let target = try files.target(
                relativePath: request.value(Self.relativePath), id: request.value(Self.trackID))
            return try answer(target.path.get())
        }
        routes.patch(Routes.editMetadata) { try await edit($0) }
        routes.patch(Routes.batchEditMetadata) { try await batch($0) }
    }

    private func content<Content: JSONContent & Sendable>(
        _ request: HTTPRequest, _ type: Content.Type
    ) async throws -> Content {
        func content() async throws -> Content { try await request.json(type, upTo: Self.contentLimit) }
        if let count = request.body.announcedByteCount, count <= Self.smallContent {
            return try await content()
        }
        return try await largeContents.run(content)
    }

    private func edit(_ request: HTTPRequest) async throws -> HTTPResponse {
        let content = try await content(request, MetadataEdit.self)
        let path = try files.target(relativePath: content.relativePath, id: content.id).path.get()
        guard !content.changes.edit.isEmpty else { throw Self.noChanges }
        var expected = try FileStateTag.expected(
            FileStateTag.condition(of: request), at: path, in: edits.music)
        if case .oneOf(let states) = FileStateTag.condition(of: request), states.isEmpty {
            throw Self.differs("If-Match")
        }
        if let etag = content.etag, etag != "*" {
            guard let state = FileStateTag.state(etag), expected == nil || expected == state else {
                throw Self.differs("etag")
            }
            expected = state
        }
        // Only files named like music can be edited.
        guard edits.music.entry(at: path) != nil else { throw EditTargets.noFile }
        let edited: LibraryEditor.Edited
        do {
            edited = try await edits.apply(
                content.changes.edit, to: path, expecting: expected, EditRecorder(.edit))
        } catch let error as TagEditError {
            throw HTTPError(error)
        }
        await edits.finish([edited])
        let metadata = TrackMetadata(
            edited.file.tags, id: edited.trackID, path: path, state: edited.file.file)
        return try .json(metadata, etag: FileStateTag.tag(edited.file.file))
    }

    private func answer(_ path: RelativePath) throws -> HTTPResponse {
        let metadata = try files.metadata(at: path)
        return try .json(metadata, etag: EntityTag(metadata.etag))
    }

    /// One edit of a batch.
    private struct Item: Sendable {
        var target: EditTargets.Target
        var edit: TagEdit
        var etag: String?
    }

    private func batch(_ request: HTTPRequest) async throws -> HTTPResponse {
        let content = try await content(request, MetadataBatch.self)
        guard content.edits.count <= MetadataBatch.largestCount else { throw Self.tooMany("edits") }
        var items: [Item] = []
        // Reject invalid values before the first file is edited.
        for (index, edit) in content.edits.enumerated() {
            items.append(
                Item(
                    target: try files.target(relativePath: edit.relativePath, id: edit.id),
                    edit: try Self.checked(edit.changes.edit, in: "edits[\(index)]: "), etag: edit.etag))
        }
        if let changes = content.changes {
            let edit = try Self.checked(changes.edit)
            guard !edit.isEmpty else { throw Self.noChanges }
            let limit = MetadataBatch.largestCount - items.count
            for target in try files.targets(of: content.selection, limit: limit) {
                items.append(Item(target: target, edit: edit))
            }
        } else if !content.selection.isEmpty {
            throw APIError.noChanges("Specify the changes for these files.", field: "changes")
        }
        guard !items.isEmpty else {
            throw APIError.nothingSelected(
                "Specify the files to edit: either edits, or changes together with lists of files.")
        }
        let all = items
        let recorder = EditRecorder(.edit, continuing: content.editID)
        return ResultStream.response { sink in
            try await sink.add(all, of: edits) { try await apply($0, recorder) }
            return ResultStream.member(recorder)
        }
    }

    private static func checked(_ edit: TagEdit, in place: String = "") throws(HTTPError) -> TagEdit {
        do {
            return try edit.checked()
        } catch {
            throw APIError.invalidValue("\(place)\(error.message).", field: error.field?.rawValue)
        }
    }

    private func apply(_ item: Item, _ recorder: EditRecorder) async throws -> ResultStream.Step {
        let target = item.target
        do {
            let path = try target.path.get()
            guard !item.edit.isEmpty else { throw Self.noChanges }
            guard edits.music.entry(at: path) != nil else { throw EditTargets.noFile }
            let expected = try item.etag.flatMap { $0 == "*" ? nil : $0 }.map { etag in
                guard let state = FileStateTag.state(etag) else { throw Self.differs("etag") }
                return state
            }
            let edited = try await edits.apply(item.edit, to: path, expecting: expected, recorder)
            return ResultStream.Step(result: EditResult(edited), edited: edited)
        } catch let error as TagEditError {
            return ResultStream.Step(
                result: EditResult(relativePath: target.text, id: target.id, HTTPError(error)))
        } catch let error as HTTPError {
            return ResultStream.Step(result: EditResult(relativePath: target.text, id: target.id, error))
        }
    }

    private static let noChanges = APIError.noChanges("Specify at least one field to change.")

    private static func differs(_ field: String) -> HTTPError {
        APIError.stateDiffers("The file has changed (ETag mismatch).", field: field)
    }

    private static func tooMany(_ field: String) -> HTTPError {
        APIError.tooManyItems("A request can edit at most \(MetadataBatch.largestCount) files.", field: field)
    }
}
