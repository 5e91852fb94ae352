import { t } from '../texts/text.js';
import { OWN_MACHINE } from './host-address.js';

/** Labels of the kinds of addresses that the host reports. */
const labels = () => ({ network: t('Local network'), tunnel: t('Anywhere (tunnel)') });

/**
 * Returns the addresses at which an app can reach the host, the best one first.
 *
 * The address of this page is known to work; only one that means this machine is of no use to other devices, and comes last.
 *
 * @param {string} own address of this page
 * @param {{url: string, kind: string}[]} known addresses that the host reports
 * @returns {{url: string, label: string}[]}
 */
export function hostAddresses(own, known) {
    const isOwnMachine = OWN_MACHINE.test(new URL(own).hostname);
    const others = known.filter(({ url }) => url !== own).map(({ url, kind }) => ({ url, label: labels()[kind] ?? kind }));
    const label = labels()[known.find(({ url }) => url === own)?.kind] ??
        (isOwnMachine ? t('Only on this device') : t('Address of this page'));
    const ours = { url: own, label };
    return isOwnMachine ? [...others, ours] : [ours, ...others];
}
