/** Concatenates arrays. @param {Float32Array[]} pieces @returns {Float32Array} */
export function concatenated(pieces) {
    const joined = new Float32Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
    let offset = 0;
    for (const piece of pieces) {
        joined.set(piece, offset);
        offset += piece.length;
    }
    return joined;
}

/** Appends audio, channel by channel. @param {Float32Array[]} one @param {Float32Array[]} other @returns {Float32Array[]} */
export function appended(one, other) {
    return one.map((samples, channel) => concatenated([samples, other[channel]]));
}
