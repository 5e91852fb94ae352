/**
 * A word or a line with its time, in seconds from the beginning of the track.
 *
 * @typedef {{start: number, end: number, text: string}} TimedWord
 * @typedef {{start: number, end: number, text: string, words: TimedWord[]}} TimedLine
 */

/** A line whose end nobody knows is not lit for longer than this. */
const LONGEST_LINE = 20;

/** Lyrics as the host gives them, with an end for each line and word. */
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
     * Which line is sung at a moment: the last that has begun.
     *
     * @param {number} seconds
     * @param {number} hint where to look first
     * @returns {number} −1 before the first
     */
    lineAt(seconds, hint = 0) {
        const { lines } = this;
        if (!this.isSynced || lines.length === 0 || seconds < lines[0].start) return -1;
        let line = Math.min(Math.max(0, hint), lines.length - 1);
        // Mostly it is the same one or the next.
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
 * How much of a word is sung at a moment.
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
