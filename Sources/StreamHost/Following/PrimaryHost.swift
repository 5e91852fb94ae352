internal import Foundation
internal import HTTPClient
internal import FileSystem
internal import MusicShared
package import Secrets
internal import Synchronization

/// The host that this one follows: its address, and the API key that both have.
package final class PrimaryHost: Sendable {
    /// Why a request to the primary failed.
    package struct Failure: Error, CustomStringConvertible {
        /// The cause, for people. Contains no address, since addresses may hold secrets.
        package let description: String
        /// The status of the answer; nil if there was none.
        package var status: Int?
        /// The code of the error in the answer, if it states one.
        var code: String?
    }

    /// The address without a trailing slash, such as `https://music.example.com`.
    package let address: String
    /// The API key.
    package let apiKey: SecretBytes
    /// The API key as clients send it.
    let keyText: String
    /// The library with all columns, and without private playlists if there are several accounts.
    static let wholeLibrary = "\(Routes.database)?details=true"
    /// For requests of clients.
    let loop: TransferLoop
    /// Writes to files, which may take a moment: clients' requests must not wait for it.
    private let downloads: TransferLoop

    /// - Parameter key: the primary's API key as clients send it.
    /// - Throws: ``Failure`` for a malformed address or key.
    package init(address: String, key: String, userAgent: String) throws(Failure) {
        guard let url = URL(string: address), ["http", "https"].contains(url.scheme), url.host() != nil,
            url.user() == nil, url.query() == nil, url.fragment() == nil
        else {
            throw Failure(
                description: "--follow: write the address of the primary, such as https://music.example.com")
        }
        guard let bytes = Base64URL.decode(key), bytes.count >= 32 else {
            throw Failure(
                description:
                    "the key of the primary must be its API key, as `stream-host key show` prints it there")
        }
        self.address = address.hasSuffix("/") ? String(address.dropLast()) : address
        apiKey = SecretBytes(bytes)
        keyText = key
        loop = TransferLoop(userAgent: userAgent)
        downloads = TransferLoop(userAgent: userAgent)
    }

    /// Returns a request with the API key.
    func request(_ path: String) -> TransferRequest {
        var request = TransferRequest(address: address + path)
        request.fields = [("Authorization", "Bearer \(keyText)")]
        request.connectSeconds = 3
        request.responseSeconds = 30
        return request
    }

    /// Sends a request with the API key. Blocks.
    /// - Parameter tag: an ETag: if the content still has it, the answer is 304.
    /// - Throws: ``Failure`` without an answer, and for answers of other statuses.
    func answer(
        _ path: String, unless tag: String? = nil, limit: Int = 64 << 20
    ) throws(Failure) -> TransferLoop.Answer {
        var request = request(path)
        if let tag { request.fields.append(("If-None-Match", tag)) }
        let answer: TransferLoop.Answer
        do throws(HTTPClientError) {
            answer = try loop.answerBlocking(to: request, limit: limit)
        } catch {
            throw Failure(description: "the primary does not answer: \(error)")
        }
        guard answer.status == 200 || tag != nil && answer.status == 304 else {
            var failure = Self.failure(answer.status)
            let object = try? JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
            failure.code = (object?["error"] as? [String: Any])?["code"] as? String
            throw failure
        }
        return answer
    }

    private static func failure(_ status: Int) -> Failure {
        let reason =
            switch status {
            case 401, 403:
                "the primary refuses the API key; use the one that `stream-host key show` prints there"
            case 404: "the primary has no such content, or is of a version that cannot be followed; update it"
            default: "the primary answered with status \(status)"
            }
        return Failure(description: reason, status: status)
    }

    /// Downloads content to a file. A part that an earlier attempt has left is continued, if the content has the same ETag.
    /// Blocks.
    /// - Parameter path: where the complete file is, at the end.
    /// - Returns: the ETag.
    @discardableResult
    func download(_ target: String, to path: String) throws -> String? {
        let (part, tagFile) = ("\(path).part", "\(path).part-tag")
        let known = (try? String(contentsOfFile: tagFile, encoding: .utf8)) ?? ""
        let present = known.isEmpty ? 0 : (try? Files.status(of: part))?.byteCount ?? 0
        var request = request(target)
        // The primary copies its database first.
        request.responseSeconds = 600
        if present > 0 {
            request.range = "\(present)-"
            request.fields.append(("If-Range", known))
        }
        let file = try FileDescriptor.open(part, for: .readAndWrite, [.create, .noLink])
        let receiver = try DownloadReceiver(file: file) { head in
            guard head.status == 200 || head.status == 206 else { return nil }
            let tag = head.fields.first { $0.name.lowercased() == "etag" }?.value ?? ""
            try? Files.replace(tagFile, with: Array(tag.utf8), permissions: 0o600)
            return head.status == 206 ? present : 0
        }
        _ = downloads.start(request, receiver: receiver)
        let head = try receiver.wait()
        // 416: nothing is missing of a part that was complete.
        guard [200, 206].contains(head.status) || (head.status == 416 && present > 0) else {
            throw Self.failure(head.status)
        }
        try Files.rename(part, to: path)
        try? Files.remove(tagFile)
        return head.fields.first { $0.name.lowercased() == "etag" }?.value
    }
}
