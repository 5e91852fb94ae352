internal import Foundation

/// Reads tags with mutagen, an independent tag library.
public enum TagWitness {
    /// Returns the ID3v2 frames of a file by mutagen's names (`TIT2`, `TXXX:REPLAYGAIN_TRACK_GAIN`): texts joined by U+001F,
    /// for other frames a hash of their contents. The version is included as `version`, such as "2.4".
    public static func frames(of path: String) async throws -> [String: String] {
        let code = """
            import sys, json, hashlib
            from mutagen.id3 import ID3, ID3NoHeaderError
            try:
                tags = ID3(sys.argv[1], translate=False, load_v1=False)
            except ID3NoHeaderError:
                print('{}'); sys.exit()
            found = {'version': '.'.join(map(str, tags.version[:2]))}
            for key, frame in tags.items():
                text = getattr(frame, 'text', None)
                if isinstance(text, str): found[key] = text
                elif isinstance(text, list): found[key] = '\\u001f'.join(map(str, text))
                else: found[key] = hashlib.sha256(repr(frame).encode()).hexdigest()
            for number, data in enumerate(tags.unknown_frames):
                found['unknown %d' % number] = bytes(data).hex()
            print(json.dumps(found))
            """
        let run = try await ProcessRun.aside(PythonTools.program("python"), ["-c", code, path])
        return try JSONDecoder().decode([String: String].self, from: run.output)
    }
}
