internal import APIDescription
package import HTTPServer
package import LibraryStore
package import MusicFiles
internal import MusicShared

/// Moves tracks to the trash and restores them.
package struct TrashRoutes: DescribedRoutes {
    let library: LibraryStore
    let trash: MusicTrash

    /// Memberwise initializer.
    package init(library: LibraryStore, trash: MusicTrash) {
        self.library = library
        self.trash = trash
    }

    package func add(to routes: some RouteCollection) {
        routes.delete(Routes.trackFile) { request in
            let id: Int = try request.parameters.require("id")
            guard let path = try library.path(ofTrack: id) else {
                throw APIError.noSuchTrack("There is no track \(id).", field: "id")
            }
            return try .json(trash.put(path))
        }
        routes.get(Routes.trash) { request in
            var response = try HTTPResponse.json(
                trash.list(limit: request.value(Query.limit), offset: request.value(Query.offset)))
            response.fields[.cacheControl] = "no-store"
            return response
        }
        routes.post(Routes.restoration) { request in
            try .json(trash.restore(request.parameters.require("trash_id")))
        }
        routes.delete(Routes.trashItem) { request in
            try trash.delete(request.parameters.require("trash_id"))
            return HTTPResponse(.noContent)
        }
        routes.delete(Routes.trash) { _ in
            trash.empty()
            return HTTPResponse(.noContent)
        }
    }
}
