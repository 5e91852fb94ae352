internal import CoverImage
internal import Foundation
internal import HTTPServer
internal import Synchronization

/// Small covers of large ones: made once, kept on disk.
///
/// One is made at a time: decoding takes up to a few hundred megabytes for the largest pictures that are let through, and
/// a second request for the same cover finds it done.
final class Covers: Sendable {
    /// What is known of pictures that give no small cover, by hash.
    private enum Verdict: Sendable {
        /// It is itself no larger than so many pixels.
        case fits(Int)
        case failed(CoverImageError)
    }

    /// A small cover.
    enum Outcome: Sendable {
        /// The picture itself is small enough, or of a kind that cannot be scaled.
        case original
        /// A file of the cache.
        case file(HTTPFile, PictureFormat)
        /// Bytes that the cache did not take.
        case bytes([UInt8], PictureFormat)
    }

    /// Verdicts kept in mind.
    private static let capacity = 20_000

    private let cache: CoverCache
    private let scaler = CoverScaler()
    // Not one of Swift's threads, of which there are few: decoding blocks.
    private let queue = DispatchQueue(label: "covers")
    private let verdicts = Mutex<[String: Verdict]>([:])

    init(cache: CoverCache) { self.cache = cache }

    /// The small cover of a picture.
    /// - Parameters:
    ///   - step: pixels of the longer side.
    ///   - bytes: gives the picture's content, if it is needed.
    /// - Throws: `CoverImageError`, and what `bytes` throws.
    func small(
        _ picture: Picture.Identity, step: Int, bytes: @escaping @Sendable () throws -> [UInt8]
    ) async throws -> Outcome {
        if let known = try known(picture, step) { return known }
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { [self] in
                continuation.resume(with: Result { try make(picture, step, bytes) })
            }
        }
    }

    private func known(_ picture: Picture.Identity, _ step: Int) throws -> Outcome? {
        switch verdicts.withLock({ $0[picture.hash] }) {
        case .fits(let pixels) where pixels <= step: return .original
        case .failed(let error): throw error
        case .fits, nil: break
        }
        return cache.file(picture.hash, step: step).map { .file($0.file, $0.format) }
    }

    private func make(
        _ picture: Picture.Identity, _ step: Int, _ bytes: () throws -> [UInt8]
    ) throws -> Outcome {
        // Somebody else may have asked for it meanwhile.
        if let known = try known(picture, step) { return known }
        do {
            switch try scaler.scale(bytes(), longestSide: step) {
            case .original:
                remember(.fits(step), of: picture)
                return .original
            case .scaled(let small, let format):
                cache.store(small, format, of: picture.hash, step: step)
                return .bytes(small, format)
            }
        } catch let error as CoverImageError where error.code == .unsupported {
            // Better a large picture than none.
            remember(.fits(0), of: picture)
            return .original
        } catch let error as CoverImageError {
            remember(.failed(error), of: picture)
            throw error
        }
    }

    private func remember(_ verdict: Verdict, of picture: Picture.Identity) {
        verdicts.withLock { verdicts in
            if verdicts.count >= Self.capacity { verdicts.removeAll(keepingCapacity: true) }
            verdicts[picture.hash] = verdict
        }
    }
}
