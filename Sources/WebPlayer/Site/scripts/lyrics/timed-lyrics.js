/**
 * A word or a line with its times, in seconds from the start of the track.
 *
 * @typedef {{start: number, end: number, text: string}} TimedWord
 * @typedef {{start: number, end: number, text: string, words: TimedWord[]}} TimedLine
 */

/** Maximum duration of a line without an end time, in seconds. */
const LONGEST_LINE = 20;

/** A track's lyrics, with an end time for each line and word. */
export class TimedLyrics {
    /** @type {TimedLine[]} */
    lines;

    /** @param {any} lyrics `TrackLyrics` of the host's API */
    constructor(lyrics) {
        this.isSynced = lyrics.is_synced === true;
        this.source = lyrics.source;
        this.language = lyrics.language ?? '';
        this.offset = lyrics.offset_seconds ?? 0;
        const given = lyrics.lines ?? [];
        this.lines = given.map((line, index) => {
            const start = line.start_seconds ?? 0;
            const next = given[index + 1]?.start_seconds ?? start + LONGEST_LINE;
            const end = Math.max(start, Math.min(line.end_seconds ?? next, Math.max(next, start)));
            const words = (line.words ?? []).map((word, place, all) => ({
                start: word.start_seconds,
                end: Math.max(word.start_seconds, word.end_seconds ?? all[place + 1]?.start_seconds ?? end),
                text: word.text,
            }));
            return { start, end, text: line.text ?? '', words };
        });
    }

    /**
     * Returns the index of the line at a time: the last one that has started.
     *
     * @param {number} seconds
     * @param {number} hint index to try first
     * @returns {number} −1 before the first line
     */
    lineAt(seconds, hint = 0) {
        const { lines } = this;
        if (!this.isSynced || lines.length === 0 || seconds < lines[0].start) return -1;
        let line = Math.min(Math.max(0, hint), lines.length - 1);
        // Usually it is the same line or the next.
        if (lines[line].start <= seconds && seconds < (lines[line + 1]?.start ?? Infinity)) return line;
        if (line + 1 < lines.length && lines[line + 1].start <= seconds && seconds < (lines[line + 2]?.start ?? Infinity)) {
            return line + 1;
        }
        let [low, high] = [0, lines.length - 1];
        while (low < high) {
            line = (low + high + 1) >> 1;
            if (lines[line].start <= seconds) low = line;
            else high = line - 1;
        }
        return low;
    }
}

/**
 * Returns how much of a word has been sung at a time.
 *
 * @param {TimedWord} word
 * @param {number} seconds
 * @returns {number} from 0 to 1
 */
export function sungPart(word, seconds) {
    if (seconds < word.start) return 0;
    if (seconds >= word.end) return 1;
    return (seconds - word.start) / (word.end - word.start);
}
