import { SINGULARS } from './singulars.js';

/** The languages of the page, by the code that browsers use, with their own names. */
export const LANGUAGES = Object.freeze({ en: 'English', de: 'Deutsch', es: 'Español', fr: 'Français', ja: '日本語' });

/** Languages that are written from right to left. */
const FROM_RIGHT = new Set(['ar', 'fa', 'he', 'ur']);

/** Where the translations are; English is in the scripts. @type {Record<string, URL>} */
const FILES = {
    de: new URL('./de.json', import.meta.url),
    es: new URL('./es.json', import.meta.url),
    fr: new URL('./fr.json', import.meta.url),
    ja: new URL('./ja.json', import.meta.url),
};

/**
 * The translations of a language: a text, or one per plural form of `count`.
 * @typedef {Record<string, string | Record<string, string>>} Messages
 */
let language = 'en';
/** @type {Messages} */
let messages = {};
let rules = new Intl.PluralRules('en');
let numbers = new Intl.NumberFormat(localeOf('en'));

/** The language of the page, such as `de`. */
export const currentLanguage = () => language;

/** The language with the user's region, such as `de-CH`, for numbers and dates. */
export const currentLocale = () => localeOf(language);

/** Returns the first language of the page that the browser prefers. */
export function preferredLanguage() {
    const preferred = navigator.languages ?? [navigator.language];
    return preferred.map((each) => each.split('-')[0]).find((each) => Object.hasOwn(LANGUAGES, each)) ?? 'en';
}

/**
 * Switches to a language and loads its texts. Without a connection, the language stays as it is.
 * @param {string} wanted a language of the page, or `auto` for the browser's
 * @returns {Promise<boolean>} whether the language has changed
 */
export async function useLanguage(wanted) {
    const next = Object.hasOwn(LANGUAGES, wanted) ? wanted : preferredLanguage();
    if (next !== language) {
        const loaded = next === 'en' ? {} : await load(next);
        if (!loaded) return false;
        messages = loaded;
        language = next;
        rules = new Intl.PluralRules(next);
        numbers = new Intl.NumberFormat(localeOf(next));
    } else if (document.documentElement.lang === next) return false;
    document.documentElement.lang = next;
    document.documentElement.dir = FROM_RIGHT.has(next) ? 'rtl' : 'ltr';
    return true;
}

/**
 * Returns a text in the language of the page. The English text is the key of its translations.
 *
 * `{name}` is replaced by a value: numbers are written as the language writes them, texts as they are. `{count}` also selects the
 * plural form; the English singular is in `singulars.js`. `as` names the meaning of a text that other languages translate in several ways.
 *
 * Call it where the text is shown, not in constants of a module: those are made before a language is chosen.
 *
 * @param {string} english
 * @param {Record<string, string | number | undefined>} [values]
 * @returns {string}
 */
export function t(english, values) {
    const key = values?.as === undefined ? english : `${english} [${values.as}]`;
    const text = formOf(key, english, values?.count);
    if (!values) return text;
    return text.replace(/\{(\w+)\}/g, (whole, name) => (Object.hasOwn(values, name) ? written(values[name]) : whole));
}

/** Returns text in the middle of a sentence: only German keeps the capitals of nouns. @param {string} text */
export function inSentence(text) {
    return language === 'de' ? text : text.toLocaleLowerCase(language);
}

/**
 * Splits a text at a placeholder, and puts an element there.
 * @param {string} text @param {string} name of the placeholder @param {Node} element
 */
export function around(text, name, element) {
    const [before, after = ''] = text.split(`{${name}}`);
    return [before, element, after];
}

/** @param {string} key @param {string} english @param {unknown} count */
function formOf(key, english, count) {
    const message = messages[key];
    if (message !== undefined) {
        return typeof message === 'string' ? message : message[rules.select(Number(count))] ?? message.other;
    }
    return count === 1 && Object.hasOwn(SINGULARS, key) ? SINGULARS[key] : english;
}

/** @param {unknown} value */
function written(value) {
    return typeof value === 'number' ? numbers.format(value) : String(value ?? '');
}

/** @param {string} code */
function localeOf(code) {
    return navigator.languages?.find((each) => each.split('-')[0] === code) ?? code;
}

/** @param {string} code @returns {Promise<Messages | null>} */
async function load(code) {
    try {
        const response = await fetch(FILES[code]);
        return response.ok ? await response.json() : null;
    } catch {
        return null;
    }
}
