import { SPEED } from '../../host/settings-table.js';
import { decimalText, numberText, percentText } from '../parts/texts.js';
import { LANGUAGES, t } from '../../texts/text.js';

/** Returns the settings of a visualizer. @param {'full' | 'mini'} scope */
function look(scope) {
    const key = (name) => `visualizer.${scope}.${name}`;
    const on = (settings) => settings.get(key('enabled')) !== false;
    return [
        { kind: 'toggle', key: key('enabled'), label: t('Show visualizer') },
        {
            kind: 'choice',
            key: key('style'),
            label: t('Style'),
            options: [['wave', t('Wave')], ['siri', t('Siri wave')], ['bar', t('Bars')], ['line', t('Line')]],
            when: on,
        },
        { kind: 'range', key: key('points'), label: t('Points'), least: 8, most: 64, step: 1, text: numberText, when: on },
        {
            kind: 'range',
            key: key('sensitivity'),
            label: t('Sensitivity'),
            text: percentText,
            least: 0,
            most: 1,
            step: 0.05,
            help: t('How visible quiet passages are.'),
            when: on,
        },
        {
            kind: 'range',
            key: key('viscosity'),
            label: t('Viscosity'),
            text: percentText,
            least: 0,
            most: 1,
            step: 0.05,
            help: t('From snappy to fluid.'),
            when: on,
        },
        {
            kind: 'choice',
            key: key('colour'),
            label: t('Colour'),
            options: [['cover', t('Cover')], ['cycle', t('Hue cycle')], ['custom', t('Custom')]],
            when: on,
        },
        {
            kind: 'range',
            key: key('hueSeconds'),
            label: t('Hue cycle duration'),
            least: 5,
            most: 120,
            step: 5,
            text: (value) => t('{seconds} s', { seconds: value }),
            when: (settings) => on(settings) && settings.get(key('colour')) === 'cycle',
        },
        {
            kind: 'colour',
            key: key('customColour'),
            label: t('Custom colour'),
            when: (settings) => on(settings) && settings.get(key('colour')) === 'custom',
        },
    ];
}

/**
 * Returns the settings by section: kind of control, key, label, explanation, and when it is shown.
 * @returns {[string, any[]][]}
 */
export const settingsSections = () => [
    [t('Appearance'), [
        {
            kind: 'menu',
            key: 'appearance.language',
            label: t('Language'),
            options: [['auto', t('Automatic')], ...Object.entries(LANGUAGES)],
        },
        {
            kind: 'choice',
            key: 'appearance.theme',
            label: t('Theme'),
            options: [['system', t('System')], ['light', t('Light')], ['dark', t('Dark')]],
        },
        {
            kind: 'choice',
            key: 'appearance.density',
            label: t('List density'),
            options: [['comfortable', t('Comfortable')], ['compact', t('Compact')]],
        },
    ]],
    [t('Playback'), [
        {
            kind: 'choice',
            key: 'playback.quality',
            label: t('Quality'),
            help: t(
                'Automatic: the original files, or 64 kbit/s on slow or metered connections. Formats that a browser cannot play arrive as MP3 with 192 kbit/s.',
            ),
            options: [['auto', t('Automatic')], ['original', t('Original')], ['low', t('Low')]],
        },
        { kind: 'toggle', key: 'playback.gapless', label: t('Gapless'), help: t('Plays albums without gaps between songs.') },
        {
            kind: 'toggle',
            key: 'playback.crossfade',
            label: t('Crossfade'),
            help: t(
                'Songs blend into each other where the music allows it. With Gapless on, never between songs of an album played in order.',
            ),
        },
        {
            kind: 'range',
            key: 'playback.crossfadeSeconds',
            label: t('Crossfade length'),
            least: 1,
            most: 12,
            step: 1,
            text: (value) => t('{seconds} s', { seconds: value }),
            when: (settings) => settings.get('playback.crossfade'),
        },
        {
            kind: 'choice',
            key: 'playback.crossfadeStyle',
            label: t('Crossfade mode'),
            help: t(
                'Automatic: as planned by the host for each pair of songs. Always: every transition, with the length above. Mix: in time with the beat, as DJs do, where tempo and bars allow it.',
            ),
            options: [['plan', t('Automatic')], ['always', t('Always')], ['mix', t('Mix')]],
            when: (settings) => settings.get('playback.crossfade'),
        },
        {
            kind: 'toggle',
            key: 'playback.crossfadeOnlyWhenItFits',
            label: t('Only when it fits'),
            help: t('Songs that cannot be mixed overlap only where the first one has faded.'),
            when: (settings) => settings.get('playback.crossfade') && settings.get('playback.crossfadeStyle') === 'mix',
        },
        {
            kind: 'toggle',
            key: 'playback.skipSilence',
            label: t('Skip silence'),
            help: t('At the start and end of songs. With Gapless on, albums played in order keep their silence.'),
        },
        {
            kind: 'choice',
            key: 'playback.normalization',
            label: t('Loudness normalization'),
            help: t(
                'Track: all songs equally loud. Album: keeps the differences between songs of an album. Automatic: Album while an album plays in order, otherwise Track.',
            ),
            options: [['auto', t('Automatic')], ['track', t('Track', { as: 'loudness' })], ['album', t('Album')], [
                'off',
                t('Off'),
            ]],
        },
        {
            kind: 'range',
            key: 'playback.targetLUFS',
            label: t('Target loudness'),
            least: -23,
            most: -11,
            step: 1,
            text: (value) => t('{level} LUFS', { level: value }),
            when: (settings) => settings.get('playback.normalization') !== 'off',
        },
        {
            kind: 'range',
            key: 'playback.speed',
            label: t('Speed'),
            ...SPEED,
            step: 0.05,
            text: (value) => t('{speed} ×', { speed: decimalText(Number(value), 2) }),
        },
        {
            kind: 'toggle',
            key: 'playback.resume',
            label: t('Resume playback'),
            help: t('Restores the queue and the position after a reload.'),
        },
        {
            kind: 'toggle',
            key: 'playback.reportPlays',
            label: t('Report plays'),
            help: t('For “Recently played” and “Most played”, shared by all your devices.'),
        },
    ]],
    [t('Developer'), [
        {
            kind: 'toggle',
            key: 'console.enabled',
            label: t('Developer console'),
            help: t('Shows a log above the player. Shortcut: `'),
        },
    ]],
    [t('Visualizer, full player'), look('full')],
    [t('Visualizer, mini player'), look('mini')],
];
