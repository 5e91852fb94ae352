internal import APIDescription
package import HTTPServer
internal import LibraryStore
internal import MusicFiles
internal import MusicShared
internal import Tagging

/// The history of edits of tags: lists them, and restores the values before one of them.
package struct EditHistoryRoutes: DescribedRoutes {
    private let edits: EditQueue

    /// Memberwise initializer.
    package init(edits: EditQueue) { self.edits = edits }

    package func add(to routes: some RouteCollection) {
        routes.get(Routes.edits) { request in
            let (limit, offset) = try (request.value(Query.limit), request.value(Query.offset))
            var response = try HTTPResponse.json(edits.history.page(limit: limit, offset: offset))
            response.fields[.cacheControl] = "no-store"
            return response
        }
        routes.post(Routes.editUndoing) { request in try undo(request.parameters.require("edit_id")) }
        routes.delete(Routes.edit) { request in
            let id: Int = try request.parameters.require("edit_id")
            guard try edits.history.remove(id) else { throw Self.noSuchEdit(id) }
            return HTTPResponse(.noContent)
        }
    }

    /// Restores the former values of each file that has not been changed since.
    private func undo(_ id: Int) throws -> HTTPResponse {
        guard let files = try edits.history.files(of: id) else { throw Self.noSuchEdit(id) }
        return ResultStream.response { sink in
            try await sink.add(files, of: edits) { try await restore($0) }
            return ""
        }
    }

    private static func noSuchEdit(_ id: Int) -> HTTPError {
        APIError.noSuchEdit(
            "The history has no edit \(id): it has been undone, or forgotten as one of the oldest.",
            field: "edit_id")
    }

    /// Restores one file, which is read here so that only one cover is in memory.
    private func restore(_ id: Int) async throws -> ResultStream.Step {
        guard let file = try edits.history.file(id: id) else {
            // Undone by another request in the meantime.
            return ResultStream.Step(result: EditResult(relativePath: nil), isShown: false)
        }
        do {
            let edited = try await edits.apply(file.former.edit, to: file.path, expecting: file.after, nil)
            try edits.history.setRestored(file, state: edited.file.file)
            return ResultStream.Step(result: EditResult(edited), edited: edited)
        } catch let error as TagEditError {
            let failure = HTTPError(error)
            let reason = error.code == .stateDiffers ? "The file has changed since." : failure.message
            try edits.history.setFailed(file, reason, code: failure.code)
            return ResultStream.Step(result: EditResult(relativePath: file.path.text, id: nil, failure))
        }
    }
}
