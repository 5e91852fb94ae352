internal import CFFTW
import Foundation

/// A forward transform of real samples, planned once and run as often as wanted on its own buffers.
///
/// Wraps an FFTW single-precision r2c plan. Not thread-safe: each worker owns its own. Plans are made with
/// `FFTW_ESTIMATE`, which always picks the same algorithm, so that a file gives the same result on every run.
final class RealFFT {
    /// Number of real input samples.
    let size: Int
    /// The samples to transform; `size` of them. Left as it is by ``execute()``.
    let input: UnsafeMutableBufferPointer<Float>
    /// The spectrum: `size / 2 + 1` bins, real and imaginary part interleaved, not normalised.
    let output: UnsafeMutableBufferPointer<Float>

    // Owned here; freed in deinit, after which nothing can reach the buffers.
    private let plan: fftwf_plan

    /// FFTW's planner is the one part of it that is not thread-safe.
    private static let plannerLock = NSLock()

    /// Plans a transform.
    /// - Parameter size: input samples, even and at least 2.
    init(size: Int) {
        precondition(size >= 2 && size.isMultiple(of: 2))
        self.size = size
        let outputCount = size + 2
        // fftwf_malloc returns nil only when memory is exhausted, where Swift itself would trap.
        guard let inputBase = fftwf_alloc_real(size), let outputBase = fftwf_alloc_real(outputCount) else {
            preconditionFailure("out of memory")
        }
        input = UnsafeMutableBufferPointer(start: inputBase, count: size)
        output = UnsafeMutableBufferPointer(start: outputBase, count: outputCount)
        input.initialize(repeating: 0)
        output.initialize(repeating: 0)
        let bins = UnsafeMutableRawPointer(outputBase).assumingMemoryBound(to: fftwf_complex.self)
        Self.plannerLock.lock()
        defer { Self.plannerLock.unlock() }
        guard let plan = fftwf_plan_dft_r2c_1d(Int32(size), inputBase, bins, plannerFlags) else {
            preconditionFailure("FFTW has no plan for \(size) samples")
        }
        self.plan = plan
    }

    deinit {
        Self.plannerLock.lock()
        fftwf_destroy_plan(plan)
        Self.plannerLock.unlock()
        fftwf_free(input.baseAddress)
        fftwf_free(output.baseAddress)
    }

    /// Transforms ``input`` into ``output``.
    func execute() { fftwf_execute(plan) }
}

// FFTW_ESTIMATE and FFTW_PRESERVE_INPUT: macros with shifts, which Swift does not import.
private let plannerFlags: UInt32 = 1 << 6 | 1 << 4
