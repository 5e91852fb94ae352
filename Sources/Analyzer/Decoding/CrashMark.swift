internal import CFaultGuard

/// A marker in a file that records what a thread was working on when it crashed.
///
/// This distinguishes a crash of the analysis (a fault, a failed assertion) from an external termination such as SIGKILL or a
/// power failure, which leaves no marker.
public enum CrashMark {
    /// Runs a body on this thread. If it crashes, a number is written to the file before the process exits.
    /// - Parameters:
    ///   - number: the value to write, not 0: 8 bytes in native byte order.
    ///   - descriptor: a file open for writing.
    ///   - offset: position in the file.
    public static func leaving<Value, Failure: Error>(
        _ number: Int, in descriptor: Int32, at offset: Int, during body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        crash_mark_begin(descriptor, Int64(offset), Int64(number))
        defer { crash_mark_end() }
        return try body()
    }
}
