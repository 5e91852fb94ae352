import { SPEED } from '../../host/settings-table.js';
import { showMenu } from '../parts/menu.js';
import { iconButton } from '../parts/buttons.js';
import { toast } from '../parts/toast.js';
import { t } from '../../texts/text.js';
import { numberText } from '../parts/texts.js';

/** @typedef {Pick<import('../../app.js').App, 'player'>} Parts what this module uses of the page */

const MINUTES = [5, 15, 30, 45, 60, 90];
/** Playback speeds in the menu. */
const SPEEDS = [SPEED.least, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 2, SPEED.most];

/**
 * Creates the sleep timer button.
 * @param {Parts} app
 * @param {AbortSignal} [signal] stops it
 */
export function sleepButton(app, signal) {
    const { player } = app;
    const button = iconButton('sleep', t('Sleep timer'), () =>
        showMenu(
            [
                ...MINUTES.map((minutes) => ({
                    label: t('In {count} minutes', { count: minutes }),
                    icon: 'sleep',
                    action: () => {
                        player.sleepAt(Date.now() + minutes * 60_000);
                        toast(t('Playback stops in {count} minutes', { count: minutes }));
                    },
                })),
                {
                    label: t('End of this song'),
                    icon: 'sleep',
                    isChecked: player.sleep === 'end-of-track',
                    action: () => player.sleepAt('end-of-track'),
                },
                ...(player.sleep ? [null, { label: t('Turn off'), icon: 'close', action: () => player.sleepAt(null) }] : []),
            ],
            button,
            t('Sleep timer'),
        ));
    const draw = () => {
        const left = player.sleepsIn;
        const text = player.sleep === 'end-of-track'
            ? t('Sleep timer: end of this song')
            : left === null || left === undefined
            ? t('Sleep timer')
            : t('Sleep timer: {minutes} min left', { minutes: Math.ceil(left / 60_000) });
        button.setAttribute('aria-pressed', String(Boolean(player.sleep)));
        button.setAttribute('aria-label', text);
        button.title = text;
        button.dataset.badge = left ? String(Math.ceil(left / 60_000)) : '';
    };
    for (const type of ['sleep', 'state', 'track']) player.addEventListener(type, draw, { signal });
    const timer = setInterval(draw, 15_000);
    signal?.addEventListener('abort', () => clearInterval(timer));
    draw();
    return button;
}

/**
 * Creates the playback speed button.
 * @param {Parts} app
 */
export function speedButton(app, signal) {
    const { player } = app;
    const button = iconButton('speed', t('Speed'), () =>
        showMenu(
            SPEEDS.map((speed) => ({
                label: speed === 1 ? t('Normal') : t('{speed} ×', { speed }),
                icon: 'speed',
                isChecked: player.speed === speed,
                action: () => {
                    player.speed = speed;
                },
            })),
            button,
            t('Speed'),
        ));
    const draw = () => {
        button.setAttribute('aria-pressed', String(player.speed !== 1));
        button.setAttribute('aria-label', player.speed === 1 ? t('Speed') : t('Speed, {speed} times', { speed: player.speed }));
        button.dataset.badge = player.speed === 1 ? '' : numberText(player.speed);
    };
    player.addEventListener('speed', draw, { signal });
    draw();
    return button;
}
