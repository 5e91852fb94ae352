internal import CoverImage
internal import Foundation
internal import HTTPServer
internal import Threads

/// Scales large covers down and caches the results on disk.
///
/// Pictures are scaled one at a time: decoding the largest accepted pictures takes several hundred megabytes,
/// and a second request for the same cover finds it in the cache.
package final class Covers: Sendable {
    /// Why a picture has no scaled cover.
    private enum Verdict: Sendable {
        /// The picture is no larger than this many pixels on its longer side.
        case fits(Int)
        case failed(CoverImageError)
    }

    /// A scaled cover, or the reason to use the original.
    enum Outcome: Sendable {
        /// The original is small enough, or cannot be scaled.
        case original
        /// A file in the cache.
        case file(HTTPFile, PictureFormat)
        /// A cover that has just been scaled.
        case bytes([UInt8], PictureFormat)
    }

    /// Maximum number of remembered verdicts.
    private static let capacity = 20_000

    private let cache: CoverCache
    private let scaler = CoverScaler()
    // Decoding blocks, so it must not run on Swift's small cooperative thread pool.
    private let queue = DispatchQueue(label: "covers")
    private let verdicts = Memo<String, Verdict>(capacity: capacity)

    package init(cache: CoverCache) { self.cache = cache }

    /// Returns the scaled cover of a picture.
    /// - Parameters:
    ///   - step: Size in pixels of the longer side.
    ///   - bytes: Reads the original picture; only called if it is needed.
    /// - Throws: `CoverImageError`, and any error thrown by `bytes`.
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
        switch verdicts[picture.hash] {
        case .fits(let pixels) where pixels <= step: return .original
        case .failed(let error): throw error
        case .fits, nil: break
        }
        return cache.file(picture.hash, step: step).map { .file($0.file, $0.format) }
    }

    private func make(
        _ picture: Picture.Identity, _ step: Int, _ bytes: () throws -> [UInt8]
    ) throws -> Outcome {
        // Another request may have created it in the meantime.
        if let known = try known(picture, step) { return known }
        do {
            switch try scaler.scale(bytes(), longestSide: step) {
            case .original:
                verdicts[picture.hash] = .fits(step)
                return .original
            case .scaled(let small, let format):
                cache.store(small, format, of: picture.hash, step: step)
                return .bytes(small, format)
            }
        } catch let error as CoverImageError where error.code == .unsupported {
            // A large picture is better than none.
            verdicts[picture.hash] = .fits(0)
            return .original
        } catch let error as CoverImageError {
            verdicts[picture.hash] = .failed(error)
            throw error
        }
    }
}
