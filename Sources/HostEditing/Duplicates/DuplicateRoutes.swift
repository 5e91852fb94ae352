internal import APIDescription
package import HTTPServer
package import LibraryStore
package import MusicFiles
internal import MusicShared

/// The body of `POST /duplicates/removal`.
struct DuplicateRemovalRequest: JSONContent, Sendable {
    /// A choice for one recording.
    struct Choice: Decodable, Sendable {
        let keptID: Int
        let removedIDs: [Int]

        private enum CodingKeys: String, CodingKey {
            case keptID = "kept_id"
            case removedIDs = "removed_ids"
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            keptID = try values.decode(Int.self, forKey: .keptID)
            removedIDs = try values.decode([Int].self, forKey: .removedIDs)
            for (key, ids) in [(CodingKeys.keptID, [keptID]), (.removedIDs, removedIDs)]
            where !ids.allSatisfy(JSONSchema.identifiers.contains) {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: values, debugDescription: "not a valid ID")
            }
        }
    }

    let groups: [Choice]
    let all: Bool
    let dryRun: Bool

    static let keys = ["groups", "all", "dry_run"]
    /// Maximum number of files per request.
    static let largestCount = 2_000

    private enum CodingKeys: String, CodingKey {
        case groups, all
        case dryRun = "dry_run"
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        groups = try values.decode(.groups, orElse: [])
        all = try values.decode(.all, orElse: false)
        dryRun = try values.decode(.dryRun, orElse: true)
    }
}

/// Lists files with the same recording, and moves those that the listener does not keep to the trash.
///
/// As with ``BulkFixRoutes``, a dry run is the default, and groups must be selected explicitly.
package struct DuplicateRoutes: DescribedRoutes {
    let library: LibraryStore
    let search: DuplicateSearch
    let removal: DuplicateRemoval
    let edits: EditQueue

    package init(library: LibraryStore, search: DuplicateSearch, removal: DuplicateRemoval, edits: EditQueue)
    {
        self.library = library
        self.search = search
        self.removal = removal
        self.edits = edits
    }

    package func add(to routes: some RouteCollection) {
        routes.get(Routes.duplicates) { try list($0) }
        routes.post(Routes.duplicateRemoval) { try await remove($0) }
    }

    private func list(_ request: HTTPRequest) throws -> HTTPResponse {
        let (limit, offset) = (try request.value(Query.limit), try request.value(Query.offset))
        let groups = try search.groups
        var response = try HTTPResponse.json(
            DuplicatePage(
                items: groups.dropFirst(offset).prefix(limit).map { DuplicateReport($0) },
                total: groups.count, copyCount: groups.reduce(0) { $0 + $1.certainCopies.count },
                copyBytes: groups.reduce(0) { $0 + $1.copyBytes }, limit: limit, offset: offset))
        response.fields[.cacheControl] = "no-store"
        return response
    }

    /// A file to move to the trash, and the one that stays; or why the request is wrong.
    private struct Step: Sendable {
        let removedID: Int
        let files: Result<(removed: DuplicateGroup.File, kept: DuplicateGroup.File), HTTPError>
    }

    private func remove(_ request: HTTPRequest) async throws -> HTTPResponse {
        let content = try await request.json(DuplicateRemovalRequest.self)
        let steps = try steps(content)
        let dryRun = content.dryRun
        return ResultStream.response(dryRun: dryRun) { sink in
            for step in steps { try await sink.add(await result(step, dryRun: dryRun)) }
            return ""
        }
    }

    private func steps(_ content: DuplicateRemovalRequest) throws -> [Step] {
        guard content.all || content.groups.contains(where: { !$0.removedIDs.isEmpty }) else {
            throw APIError.nothingSelected(
                "Select files by groups, or send \"all\": true for the suggestions of all groups.",
                field: "groups")
        }
        let groups = try search.groups
        guard !content.all else {
            guard content.groups.isEmpty else {
                throw APIError.unclearFiles("Send either groups or \"all\": true, not both.", field: "all")
            }
            return groups.flatMap { group in
                group.certainCopies.map { Step(removedID: $0.track.id, files: .success(($0, group.best))) }
            }
        }
        let count = content.groups.reduce(0) { $0 + $1.removedIDs.count }
        guard count <= DuplicateRemovalRequest.largestCount else {
            throw APIError.tooManyItems(
                "A request can remove at most \(DuplicateRemovalRequest.largestCount) files.", field: "groups"
            )
        }
        let kept = Set(content.groups.map(\.keptID))
        // A track may be in two groups, in one of them as a possible copy.
        var groupsOfTrack: [Int: [Int]] = [:]
        for (index, group) in groups.enumerated() {
            for file in group.files { groupsOfTrack[file.track.id, default: []].append(index) }
        }
        return content.groups.flatMap { choice in
            choice.removedIDs.map { id in
                Step(removedID: id, files: Self.files(id, choice.keptID, kept, groups, groupsOfTrack))
            }
        }
    }

    /// The files with two IDs, if they are different files of one group, and no other choice keeps the first.
    private static func files(
        _ removed: Int, _ kept: Int, _ allKept: Set<Int>, _ groups: [DuplicateGroup],
        _ groupsOfTrack: [Int: [Int]]
    ) -> Result<(removed: DuplicateGroup.File, kept: DuplicateGroup.File), HTTPError> {
        guard !allKept.contains(removed) else {
            return .failure(
                APIError.notDuplicates("The request also keeps track \(removed).", field: "removed_ids"))
        }
        let others = groupsOfTrack[kept] ?? []
        guard let index = groupsOfTrack[removed]?.first(where: { others.contains($0) }),
            let first = groups[index].files.first(where: { $0.track.id == removed }),
            let second = groups[index].files.first(where: { $0.track.id == kept })
        else {
            return .failure(
                APIError.notDuplicates(
                    "Tracks \(removed) and \(kept) do not have the same recording, or have changed.",
                    field: "removed_ids"))
        }
        return .success((first, second))
    }

    private func result(_ step: Step, dryRun: Bool) async throws -> EditResult {
        switch step.files {
        case .failure(let error):
            return EditResult(relativePath: nil, id: step.removedID, error)
        case .success(let files):
            var result = EditResult(relativePath: files.removed.track.path.text, id: step.removedID)
            do {
                try await edits.run {
                    if dryRun {
                        try removal.check(files.removed, of: files.kept)
                    } else {
                        _ = try removal.remove(files.removed, of: files.kept)
                    }
                }
                result.changed = true
            } catch let error as TrashError {
                return EditResult(relativePath: result.relativePath, id: result.id, HTTPError(error))
            }
            return result
        }
    }
}
