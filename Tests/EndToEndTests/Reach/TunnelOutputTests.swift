import Testing

@testable import stream_host

/// Output of cloudflared, collected from published logs.
@Suite("Output of cloudflared")
struct TunnelOutputTests {
    private func output(_ lines: String..., origin: String = "http://127.0.0.1:8420", url: String? = nil)
        -> TunnelOutput
    {
        var output = TunnelOutput(origin: origin, url: url)
        for line in lines { output.read(line) }
        return output
    }

    @Test(
        "The URL of a quick tunnel is found in the output of all known versions",
        arguments: [
            "2023-01-16T08:32:58Z INF |  https://x-y-z.trycloudflare.com                                     |",
            "2026-09-28T00:00:00Z INF |  https://x-y-z.trycloudflare.com |",
            "| https://x-y-z.trycloudflare.com               |",
            "2022-03-04T11:00:00Z INF Your quick Tunnel has been created! https://x-y-z.trycloudflare.com",
            #"{"level":"info","time":"2024-01-01T00:00:00Z","message":"|  https://x-y-z.trycloudflare.com  |"}"#,
        ])
    func quick(line: String) {
        #expect(output(line).url == "https://x-y-z.trycloudflare.com")
    }

    @Test(
        "Other URLs are not taken for the tunnel's",
        arguments: [
            #"failed to request quick Tunnel: Post "https://api.trycloudflare.com/tunnel": dial tcp: lookup failed"#,
            "2023-01-16T08:32:58Z INF Requesting new quick Tunnel on trycloudflare.com...",
            "see https://www.cloudflare.com/website-terms/", "https://evil.example/x.trycloudflare.com",
        ])
    func noAddress(line: String) {
        #expect(output(line).url == nil)
    }

    @Test("Connections are counted as they open and close")
    func connections() {
        let registered =
            "2026-09-30T07:31:18Z INF Registered tunnel connection connIndex=1 connection=bb52 event=0 ip=2606:4700:a8::1 "
            + "location=del04 protocol=quic"
        #expect(output(registered).connections == [1])
        let two = registered.replacing("connIndex=1", with: "connIndex=2")
        #expect(output(registered, two).connections == [1, 2])
        for line in [
            "2024-01-01T00:00:00Z INF Unregistered tunnel connection connIndex=1 event=0 ip=198.41.200.1",
            #"2024-01-01T00:00:00Z ERR Connection terminated error="EOF" connIndex=1"#,
            "2024-01-01T00:00:00Z INF Lost connection with the edge connIndex=1",
            "2024-01-01T00:00:00Z INF Retrying connection in up to 2s connIndex=1 event=0 ip=198.41.200.1",
        ] {
            #expect(output(registered, two, line).connections == [2], "\(line)")
            #expect(output(registered, line, registered).connections == [1], "\(line)")
        }
    }

    @Test("The host name of a tunnel configured at Cloudflare is the one that is routed to our port")
    func named() {
        let line =
            #"2026-05-13T00:19:33Z INF Updated to new configuration config="{\"ingress\":[{\"hostname\":\"a.example.com\","#
            + #"\"service\":\"http://localhost:8080\"},{\"hostname\":\"music.example.com\",\"originRequest\":"#
            + #"{\"noTLSVerify\":true},\"service\":\"http://localhost:8420\"},{\"service\":\"http_status:404\"}],"#
            + #"\"warp-routing\":{\"enabled\":false}}" version=1"#
        #expect(output(line).url == "https://music.example.com")
        #expect(output(line, origin: "http://[::1]:8080").url == "https://a.example.com")
        #expect(output(line, origin: "http://127.0.0.1:1").url == nil)
        #expect(output(line, origin: "http://127.0.0.1:84").url == nil)
        #expect(output("INF Starting tunnel", url: "https://b.example").url == "https://b.example")
    }

    @Test("Error messages are kept until the tunnel is connected")
    func complaints() {
        let error = #"2024-01-01T00:00:00Z ERR Failed to dial a quic connection error="timeout" connIndex=0"#
        #expect(output(error).complaint == #"Failed to dial a quic connection error="timeout" connIndex=0"#)
        #expect(
            output(error, "2024-01-01T00:00:00Z INF Registered tunnel connection connIndex=0").complaint
                == nil)
        #expect(output("2024-01-01T00:00:00Z ERR Configuration file /dev/null was empty").complaint == nil)
        let last = "failed to request quick Tunnel: no such host"
        #expect(output(last).complaint == last)
        #expect(output("x" + String(repeating: " ERR ", count: 10_000)).complaint?.utf8.count == 300)
    }
}
