/** Decodes Base64; throws if it is not. @param {string} text @returns {Uint8Array<ArrayBuffer>} */
export function fromBase64(text) {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/** Concatenates bytes into a new buffer. @param {Uint8Array[]} parts @returns {Uint8Array<ArrayBuffer>} */
export function joinedBytes(parts) {
    const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let offset = 0;
    for (const part of parts) {
        bytes.set(part, offset);
        offset += part.length;
    }
    return bytes;
}

/**
 * Removes the timestamp before a segment's frames (ID3v2.4, 3.1: the size has 7 bits per byte).
 * @param {Uint8Array} bytes
 */
export function withoutTag(bytes) {
    if (String.fromCharCode(...bytes.subarray(0, 3)) !== 'ID3') return bytes;
    const size = bytes.subarray(6, 10).reduce((sum, byte) => sum * 128 + byte, 0);
    return bytes.subarray(10 + size);
}
