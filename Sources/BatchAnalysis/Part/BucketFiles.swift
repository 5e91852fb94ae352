internal import Analyzer
internal import FileSystem
internal import HTTPClient
internal import LibraryStore
internal import Threads

/// The tracks in a bucket. While one is analysed, the next one is fetched: at most two are in temporary files.
final class BucketFiles: TrackFiles {
    private typealias Fetched = Result<(file: TemporaryFile, sheets: BucketCueSheets), FetchError>

    /// The reason why an object cannot be fetched.
    private enum FetchError: Error {
        /// The track has failed.
        case track(AnalyzerError)
        /// The bucket cannot be used.
        case bucket(BatchError)
    }

    /// A track that is being fetched on a thread.
    private struct Pending {
        let track: PlannedTrack
        let result: Turnstile<Fetched?>
    }

    private let store: ObjectStore
    private let bucket: String
    private let prefix: String
    private let temporaryFolder: String
    private let sheets = BucketCueSheets.Cache()
    private var pending: Pending?

    init(_ store: ObjectStore, bucket: String, prefix: String, temporaryFolder: String) {
        self.store = store
        self.bucket = bucket
        self.prefix = prefix
        self.temporaryFolder = temporaryFolder
    }

    func open(
        _ track: PlannedTrack, before next: PlannedTrack?
    ) throws(BatchError) -> Result<OpenTrack, AnalyzerError> {
        let current = pending?.track == track ? pending : nil
        let fetching = current ?? fetch(track)
        let fetched = fetching.result.wait { $0 }
        pending = next.map(fetch)
        switch fetched {
        case .success(let (file, sheets)):
            do throws(AnalyzerError) {
                return .success(
                    OpenTrack(
                        file: try MappedFile(descriptor: file.descriptor.number), place: file.path,
                        sheets: sheets, owner: file))
            } catch {
                return .failure(error)
            }
        case .failure(.track(let error)): return .failure(error)
        case .failure(.bucket(let error)): throw error
        case nil: throw BatchError(.source, "the object was not fetched", place: track.path.text)
        }
    }

    private func fetch(_ track: PlannedTrack) -> Pending {
        let result = Turnstile<Fetched?>(nil)
        let (store, bucket, prefix, folder, sheets) = (store, bucket, prefix, temporaryFolder, sheets)
        let isStarted = DedicatedThread.start("object") {
            let fetched = Self.fetched(track, prefix: prefix, bucket: bucket, store, folder, sheets)
            result.change { $0 = fetched }
        }
        if !isStarted {
            result.change { $0 = .failure(.bucket(BatchError(.source, "cannot start a thread"))) }
        }
        return Pending(track: track, result: result)
    }

    private static func fetched(
        _ track: PlannedTrack, prefix: String, bucket: String, _ store: ObjectStore, _ folder: String,
        _ cache: BucketCueSheets.Cache
    ) -> Fetched {
        do {
            let file = try TemporaryFile(in: folder)
            var count = 0
            let key = prefix + track.path.key
            do {
                try store.read(
                    bucket: bucket, key: key, entityTag: track.entityTag, byteCount: track.file.size
                ) { bytes in
                    try file.descriptor.write(bytes, at: count)
                    count += bytes.count
                }
            } catch let error as ObjectStoreError {
                throw reason(error, key: key, bucket: bucket)
            }
            let sheets = try BucketCueSheets(of: track, cache: cache) { sheet in
                let key = prefix + sheet.path.key
                var text: [UInt8] = []
                do {
                    try store.read(
                        bucket: bucket, key: key, entityTag: sheet.entityTag, byteCount: sheet.file.size
                    ) { text += $0 }
                } catch let error as ObjectStoreError {
                    throw sheetReason(error, key: key, bucket: bucket)
                }
                return text
            }
            return .success((file, sheets))
        } catch let error as FetchError {
            return .failure(error)
        } catch {
            return .failure(.bucket(BatchError(.run, "\(error)", place: folder)))
        }
    }

    /// The reason why a cue sheet cannot be fetched. One that has changed fails its track, which it may divide in another way now.
    private static func sheetReason(
        _ error: ObjectStoreError, key: String, bucket: String
    ) -> FetchError {
        guard error.code == .changed || error.code == .notFound, !error.isMissingBucket else {
            return reason(error, key: key, bucket: bucket)
        }
        return .track(
            AnalyzerError(
                .fileChanged, "the cue sheet \(key) has changed since the plan was made; plan it again"))
    }

    private static func reason(_ error: ObjectStoreError, key: String, bucket: String) -> FetchError {
        switch error.code {
        case .notFound where !error.isMissingBucket: .track(AnalyzerError(.fileVanished, "no longer exists"))
        case .changed:
            .track(AnalyzerError(.fileChanged, "has changed since the plan was made; plan it again"))
        case .notReadable: .track(AnalyzerError(.fileUnreadable, "cannot be read: \(error)"))
        case .cancelled: .track(AnalyzerError(.cancelled, "cancelled"))
        default: .bucket(BatchError(.source, "\(error)", place: "s3://\(bucket)/\(key)"))
        }
    }
}

extension RelativePath {
    /// The key of an object without the prefix of the plan.
    fileprivate var key: String { String(decoding: bytes, as: UTF8.self) }
}
