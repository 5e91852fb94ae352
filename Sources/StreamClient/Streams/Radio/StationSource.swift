/// A station: a live stream that always starts at the present.
struct StationSource: MediaSource {
    let resource: HTTPResource

    func reader(from seconds: Double) -> any MediaReader { StationReader(resource: resource) }
}
