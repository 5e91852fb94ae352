import { t } from '../texts/text.js';

/** Labels of the fields that rules can compare, by the host's names. @returns {Record<string, string>} */
const labels = () => ({
    title: t('Title'),
    artist: t('Artist'),
    album: t('Album'),
    albumArtist: t('Album artist'),
    genre: t('Genre'),
    year: t('Year'),
    composer: t('Composer'),
    mood: t('Mood'),
    comment: t('Comment'),
    lyricist: t('Lyricist'),
    conductor: t('Conductor'),
    remixer: t('Remixer'),
    trackNumber: t('Track number'),
    discNumber: t('Disc number'),
    compilation: t('Compilation'),
    hasCoverArt: t('Has a cover'),
    bpm: t('Tempo'),
    key: t('Key', { as: 'music' }),
    camelot: t('Camelot key'),
    loudness: t('Loudness'),
    loudnessRange: t('Loudness range'),
    energy: t('Energy'),
    danceability: t('Danceability'),
    brightness: t('Brightness'),
    truePeak: t('True peak'),
    samplePeak: t('Sample peak'),
    momentaryLoudness: t('Maximum momentary loudness'),
    shortTermLoudness: t('Maximum short-term loudness'),
    peakToLoudness: t('Peak-to-loudness ratio'),
    minimumPSR: t('Minimum peak-to-short-term ratio'),
    tuning: t('Tuning'),
    beatsPerBar: t('Beats per bar'),
    bpmConfidence: t('Confidence in the tempo'),
    beatConfidence: t('Confidence in the beats'),
    barConfidence: t('Confidence in the bars'),
    keyConfidence: t('Confidence in the key'),
    ending: t('Ending'),
    cueIn: t('Cue-in'),
    cueOut: t('Cue-out'),
    fadeInEnd: t('End of the fade-in'),
    fadeOutStart: t('Start of the fade-out'),
    silent: t('Silent throughout'),
    damagedFrames: t('Damaged frames'),
    duration: t('Length'),
    fileType: t('Format'),
    bitRateMode: t('Bit rate mode'),
    bitDepth: t('Bit depth'),
    sampleRate: t('Sample rate'),
    channels: t('Channels'),
    filePath: t('Path'),
    loved: t('Starred'),
    rating: t('Rating'),
    playCount: t('Plays'),
    lastPlayed: t('Last played'),
    dateLoved: t('Starred on'),
    dateRated: t('Rated on'),
    bitRate: t('Bit rate'),
    size: t('File size'),
    dateAdded: t('Added'),
    dateModified: t('Changed'),
});

/**
 * Returns the host's fields with labels in the language of the page; fields of newer hosts keep the host's label.
 * @template {{name: string, label: string}} Field
 * @param {Field[]} fields
 * @returns {Field[]}
 */
export function labelled(fields) {
    const known = labels();
    return fields.map((field) => ({ ...field, label: known[field.name] ?? field.label }));
}
