/// A whole MP3 file, read from its beginning or from any place on: on this machine, or on a server by ranges.
struct ProgressiveSource: MediaSource {
    let resource: any ByteResource

    func reader(from seconds: Double) -> any MediaReader {
        ProgressiveReader(resource: resource, from: seconds)
    }
}
