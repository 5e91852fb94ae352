public import StreamClient
public import StreamClientHost

extension RemoteChannel {
    /// Creates a channel over libcurl; does not connect yet.
    /// - Parameters:
    ///   - connection: the host.
    ///   - appVersion: name and version of the program, for display.
    ///   - trust: which server certificates are accepted.
    ///   - pace: the ping and retry intervals.
    public init(
        _ connection: HostConnection, appVersion: String, trust: ServerTrust = .machine, pace: Pace = Pace()
    ) {
        self.init(
            connection, connector: CurlWebSocketConnector(trust: trust), appVersion: appVersion, pace: pace)
    }
}
