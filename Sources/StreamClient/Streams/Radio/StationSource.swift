/// A station: sound without an end, from the moment on at which it is asked.
struct StationSource: MediaSource {
    let resource: HTTPResource

    func reader(from seconds: Double) -> any MediaReader { StationReader(resource: resource) }
}
