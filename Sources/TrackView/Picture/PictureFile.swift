internal import FileSystem
import Foundation

/// Writes pictures to files.
enum PictureFile {
    /// Draws a picture into a PNG file. An existing file is replaced.
    /// - Throws: ``TrackViewError`` with the file's path: `fileUnwritable`, and what `draw` throws.
    static func write(
        to path: String, _ draw: () throws(TrackViewError) -> Data
    ) throws(TrackViewError) {
        let data: Data
        do {
            data = try draw()
        } catch {
            throw TrackViewError(error.code, error.message, path: path)
        }
        do {
            try data.write(to: URL(filePath: path))
        } catch {
            throw TrackViewError(.fileUnwritable, "cannot be written: \(reason(error))", path: path)
        }
    }

    /// The system's reason, without the words that Foundation puts around it.
    private static func reason(_ error: any Error) -> String {
        let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
        if let code = (underlying as? POSIXError)?.code {
            return SystemError(code: code.rawValue).description
        }
        return error.localizedDescription
    }
}
