package import StreamClient

/// Returns the error of an asynchronous call; nil if it succeeds.
package func failure<Value>(_ body: () async throws(ClientError) -> Value) async -> ClientError? {
    do throws(ClientError) {
        _ = try await body()
        return nil
    } catch { return error }
}
