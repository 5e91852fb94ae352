internal import CFFTW
internal import Synchronization

/// A forward transform of real samples with its own buffers.
///
/// Wraps FFTW's single-precision r2c transforms. Not thread-safe: each worker owns one.
package final class RealFFT {
    /// Number of real input samples.
    package let size: Int
    /// The samples to transform; `size` of them. Not modified by ``execute()``.
    package let input: UnsafeMutableBufferPointer<Float>
    /// The spectrum: `size / 2 + 1` bins, real and imaginary parts interleaved, not normalised.
    package let output: UnsafeMutableBufferPointer<Float>

    private let plan: FFTPlan

    /// Plans a transform.
    /// - Parameter size: number of input samples, even and at least 2.
    package init(size: Int) {
        precondition(size >= 2 && size.isMultiple(of: 2))
        self.size = size
        let outputCount = size + 2
        // fftwf_malloc returns nil only if memory is exhausted, where Swift itself would trap.
        guard let inputBase = fftwf_alloc_real(size), let outputBase = fftwf_alloc_real(outputCount) else {
            preconditionFailure("out of memory")
        }
        input = UnsafeMutableBufferPointer(start: inputBase, count: size)
        output = UnsafeMutableBufferPointer(start: outputBase, count: outputCount)
        input.initialize(repeating: 0)
        output.initialize(repeating: 0)
        plan = FFTPlan.shared(size: size, input: inputBase, output: outputBase)
    }

    deinit {
        fftwf_free(input.baseAddress)
        fftwf_free(output.baseAddress)
    }

    /// Transforms ``input`` into ``output``.
    package func execute() {
        // A non-empty buffer has a base address.
        if let input = input.baseAddress, let output = output.baseAddress { plan.execute(input, output) }
    }
}

/// A transform plan for one size, usable with all buffers allocated by FFTW.
///
/// Created once per size and cached: planning takes as long as some thousand transforms, and a process needs few sizes. Plans
/// use `FFTW_ESTIMATE`, which always picks the same algorithm, so that results are reproducible.
private struct FFTPlan: @unchecked Sendable {
    // Safety: never changed or freed after creation, and FFTW allows concurrent execution of one plan on different buffers.
    private let plan: fftwf_plan

    /// FFTW's planner is its only part that is not thread-safe.
    private static let plans = Mutex<[Int: FFTPlan]>([:])

    // FFTW_ESTIMATE and FFTW_PRESERVE_INPUT: macros with shifts, which Swift does not import.
    private static let plannerFlags: UInt32 = 1 << 6 | 1 << 4

    /// Returns the plan for a size; a new plan is created with the given buffers.
    static func shared(
        size: Int, input: UnsafeMutablePointer<Float>, output: UnsafeMutablePointer<Float>
    ) -> FFTPlan {
        let made = plans.withLock { plans -> FFTPlan? in
            if let plan = plans[size] { return plan }
            let plan = fftwf_plan_dft_r2c_1d(Int32(size), input, bins(output), plannerFlags).map(
                FFTPlan.init(plan:))
            plans[size] = plan
            return plan
        }
        guard let made else { preconditionFailure("FFTW has no plan for \(size) samples") }
        return made
    }

    func execute(_ input: UnsafeMutablePointer<Float>, _ output: UnsafeMutablePointer<Float>) {
        fftwf_execute_dft_r2c(plan, input, Self.bins(output))
    }

    private static func bins(_ floats: UnsafeMutablePointer<Float>) -> UnsafeMutablePointer<fftwf_complex> {
        UnsafeMutableRawPointer(floats).assumingMemoryBound(to: fftwf_complex.self)
    }
}
