import { t } from '../texts/text.js';

/** The port of hosts, used for addresses without one, unless they start with `https://`. */
const PORT = 8420;
/** Names and addresses that only reach the machine itself; pages opened over HTTPS may connect to them without TLS. */
export const OWN_MACHINE = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * Parses an address such as `attic.local`, `192.168.1.2:8420`, `[::1]:8420` or `https://music.example.org`.
 * @param {string} text as entered by the user
 * @returns {string} the base URL, without a trailing slash
 * @throws {Error} with a message for the user
 */
export function parseAddress(text) {
    const entered = text.trim();
    const [, scheme = 'http', rest] = /^(?:(https?):\/\/)?(.*)$/i.exec(entered) ?? [];
    const isEncrypted = scheme.toLowerCase() === 'https';
    let url;
    try {
        url = new URL(`${scheme}://${rest}`);
    } catch {
        // The check below reports it.
    }
    if (!url || !/^[^/?#@\s]+\/?$/.test(rest) || rest.includes('://')) {
        throw new Error(
            t('“{entered}” is not an address. Enter one such as attic.local:8420 or https://music.example.org.', { entered }),
        );
    }
    if (!isEncrypted && !/:\d+\/?$/.test(rest)) url.port = String(PORT);
    return url.origin;
}

/**
 * Returns why the browser does not let this page connect to an address; empty if it does.
 * @param {string} address
 * @param {string} [page] address of the page
 */
export function blockedReason(address, page = location.origin) {
    const isBlocked = page.startsWith('https:') && address.startsWith('http:') && !OWN_MACHINE.test(new URL(address).hostname);
    return isBlocked
        ? t(
            'This page was opened over HTTPS, so the browser does not let it connect to {address}. Enter an address that starts with https://, or open this page over http://.',
            { address },
        )
        : '';
}
