internal import CFFTW
internal import Synchronization

/// A forward transform of real samples on buffers of its own.
///
/// Wraps FFTW's single-precision r2c transforms. Not thread-safe: each worker owns its own.
final class RealFFT {
    /// Number of real input samples.
    let size: Int
    /// The samples to transform; `size` of them. Left as it is by ``execute()``.
    let input: UnsafeMutableBufferPointer<Float>
    /// The spectrum: `size / 2 + 1` bins, real and imaginary part interleaved, not normalised.
    let output: UnsafeMutableBufferPointer<Float>

    private let plan: FFTPlan

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
        plan = FFTPlan.shared(size: size, input: inputBase, output: outputBase)
    }

    deinit {
        fftwf_free(input.baseAddress)
        fftwf_free(output.baseAddress)
    }

    /// Transforms ``input`` into ``output``.
    func execute() {
        // A full buffer has a base address.
        if let input = input.baseAddress, let output = output.baseAddress { plan.execute(input, output) }
    }
}

/// How to transform some number of samples, for all buffers that FFTW itself has allocated.
///
/// Made once for each size and kept: planning takes as long as some thousand transforms, and a program needs few
/// sizes. Plans are made with `FFTW_ESTIMATE`, which always picks the same algorithm, so that a file gives the same
/// result on every run.
private struct FFTPlan: @unchecked Sendable {
    // Proof: never changed or freed once it is made, and FFTW lets any number of threads execute one plan on different buffers.
    private let plan: fftwf_plan

    /// FFTW's planner is the one part of it that is not thread-safe.
    private static let plans = Mutex<[Int: FFTPlan]>([:])

    // FFTW_ESTIMATE and FFTW_PRESERVE_INPUT: macros with shifts, which Swift does not import.
    private static let plannerFlags: UInt32 = 1 << 6 | 1 << 4

    /// The plan for a size; the buffers are what a new one is made with.
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
