#!/usr/bin/env node
/**
 * Checks the texts of the web player: `scripts/page/texts.js [FOLDER]`, by default the page's sources.
 *
 * - Scripts contain no text for people outside `t('…')`: no literal that looks like prose, no word in a place that is shown.
 * - `t` is called with literals, never in constants of a module, and its values are those that the text names.
 * - `singulars.js` and all translations have the same keys and placeholders, and each plural form that the language needs.
 *
 * `--keys` prints the keys instead, for new translations.
 */
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const ts = require('/usr/share/nodejs/typescript');

const site = path.resolve(
    process.argv.slice(2).find((each) => !each.startsWith('--')) ?? path.join(__dirname, '../../Sources/WebPlayer/Site'),
);
/** Stay English: the API reference and the log of the console, which developers read. The worker has no page to show texts on. */
const EXCEPT = /^(reference\/|service-worker\.js|scripts\/console\/(log|log-sources)\.js)/;
/** Files whose messages name parts of file formats, or only reach the console. */
const FORMATS = new Set([
    'scripts/host/settings-table.js',
    'scripts/host/browser-database.js',
    'scripts/visualizer/spectra/track-spectra.js',
]);
/** Names, and words of file formats and browsers' interfaces. */
const NAMES = new Set([
    'Navidrome',
    'ListenBrainz',
    'Last.fm',
    'Symfonium',
    'Web player',
    'API-Key',
    'Authorization',
    'Range',
    'ETag',
    'Files',
    'WAVEfmt ',
    'stream-host key show',
    'attic.local:8420',
    'MP3 64 kbit/s',
]);
const NOT_PROSE = [
    /^[a-z]+([A-Z0-9][a-z]*)+$/, // camelCase
    /^[A-Z][a-z]+(-[A-Z][a-z]+)+$/, // header fields
    /^[A-Z][A-Za-z]*Error$/,
    /^(Arrow|Page)(Up|Down|Left|Right)$|^(Escape|Enter|Tab|Backspace|Delete|Home|End|ContextMenu)$/,
    /^[A-Za-z0-9+/=]{40,}$/, // base64
    /^M[\d.]/, // paths of icons
    /^Bearer |^bytes[ =]|^rgba?\(|^hsl|^translate|^https?:|^[/#.[]|^(image|text|audio|application)\//,
    /^[a-z0-9$.#{}'-]+(\.(is|has)-[a-z-]+|[.-]\$\{[\s\S]*\})+/, // elements with classes
    /^[\w-]+( (is|has)-[\w-]+| [a-z]+-[\w-]+)+$/, // class names
];
/** Attributes, properties and functions whose texts are shown. */
const SHOWN_NAMES = new Set([
    'label',
    'title',
    'help',
    'placeholder',
    'aria-label',
    'aria-valuetext',
    'alt',
    'textContent',
    'heading',
]);
const SHOWN_CALLS = {
    toast: 0,
    textButton: 0,
    iconButton: 1,
    confirmed: 0,
    empty: 1,
    emptyRow: 0,
    settingsGroup: 0,
    showSheet: 0,
    page: 0,
};

const problems = [];
/** Placeholders by key. @type {Map<string, {names: Set<string>, place: string}>} */
const keys = new Map();
const placeholders = (text) => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].sort();

function scripts(folder) {
    return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
        const file = path.join(folder, entry.name);
        return entry.isDirectory() ? scripts(file) : file.endsWith('.js') ? [file] : [];
    });
}

function check(file) {
    const name = path.relative(site, file);
    const source = ts.createSourceFile(file, fs.readFileSync(file, 'utf8'), ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
    const report = (node, text) => {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        problems.push(`${name}:${line + 1}: ${text}`);
    };
    const visit = (node) => {
        if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
        if (ts.isCallExpression(node) && node.expression.getText() === 't') {
            call(node, report);
            const [, values] = node.arguments;
            for (const each of values?.properties ?? []) if (each.name.getText() !== 'as') visit(each);
            return;
        }
        const text = textOf(node);
        if (text !== null && isForPeople(node, text, name)) report(node, `a text outside t('…'): ${node.getText().slice(0, 60)}`);
        ts.forEachChild(node, visit);
    };
    visit(source);
}

/** The text of a literal, with its expressions left out. */
function textOf(node) {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
    if (ts.isTemplateExpression(node)) {
        return node.head.text + node.templateSpans.map(({ literal }) => `\u0000${literal.text}`).join('');
    }
    return null;
}

function isForPeople(node, text, name) {
    const { parent } = node;
    if (ts.isPropertyAssignment(parent) && (parent.name === node || /^(class|className|key)$/.test(parent.name.getText()))) {
        return false;
    }
    if (NAMES.has(text) || FORMATS.has(name) || NOT_PROSE.some((each) => each.test(text))) return false;
    const words = text.replaceAll('\u0000', '');
    if (/\p{L}{2}/u.test(words) && isShown(node)) return true;
    return /\p{Lu}\p{Ll}|\p{Ll} \p{Ll}|\p{L}…/u.test(words) && !/^[\w./-]+$/.test(words) ? true : /^\p{Lu}\p{Ll}+$/u.test(words);
}

/** Whether a literal is in a place whose text is shown. */
function isShown(node) {
    let place = node;
    while (ts.isConditionalExpression(place.parent) && place.parent.condition !== place || ts.isBinaryExpression(place.parent)) {
        // Compared values are not shown.
        if (ts.isBinaryExpression(place.parent) && /[=<>]=|[<>]/.test(place.parent.operatorToken.getText())) return false;
        place = place.parent;
    }
    const { parent } = place;
    if (ts.isPropertyAssignment(parent)) return SHOWN_NAMES.has(parent.name.text);
    if (!ts.isCallExpression(parent)) return false;
    const called = parent.expression.getText();
    const index = parent.arguments.indexOf(place);
    if (called === 'h') return index >= 2;
    return SHOWN_CALLS[called] === index;
}

/** Checks a call of `t`, and notes its key. */
function call(node, report) {
    const [first, second] = node.arguments;
    if (!first || !(ts.isStringLiteral(first) || ts.isNoSubstitutionTemplateLiteral(first))) {
        report(node, 't needs a literal: translations are found by it');
        return;
    }
    let inFunction = false;
    for (let each = node.parent; each; each = each.parent) {
        if (
            ts.isFunctionLike(each) ||
            ts.isPropertyDeclaration(each) && !each.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword)
        ) {
            inFunction = true;
        }
    }
    const isModule = /share\.js$/.test(node.getSourceFile().fileName);
    if (!inFunction && !isModule) report(node, 't in a constant of the module: no language is chosen yet; make it a function');
    let key = first.text;
    const given = new Set();
    if (second && ts.isObjectLiteralExpression(second)) {
        for (const property of second.properties) {
            const name = property.name?.getText() ?? '';
            if (name === 'as') key += ` [${property.initializer.text}]`;
            else given.add(name);
        }
        for (const name of placeholders(first.text)) {
            if (!given.has(name)) report(node, `no value for {${name}}`);
        }
    } else if (
        !second && placeholders(first.text).length && node.parent.getText().indexOf('link') < 0 &&
        !/\{link\}|\{command\}/.test(first.text)
    ) {
        report(node, `no values for ${placeholders(first.text).map((each) => `{${each}}`).join(', ')}`);
    }
    keys.set(key, first.text);
}

function checkTranslations() {
    const folder = path.join(site, 'scripts/texts');
    const singulars = Function(
        `return ${
            fs.readFileSync(path.join(folder, 'singulars.js'), 'utf8').replace(/^[\s\S]*?Object\.freeze\(/, '(').replace(
                /;\s*$/,
                '',
            )
        }`,
    )();
    const plural = [...keys.keys()].filter((key) => key.includes('{count}'));
    same('singulars.js', plural, Object.keys(singulars));
    for (const [key, text] of Object.entries(singulars)) checkPlaceholders('singulars.js', key, text, true);
    for (const file of fs.readdirSync(folder).filter((each) => each.endsWith('.json'))) {
        const messages = JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8'));
        same(file, [...keys.keys()], Object.keys(messages));
        const categories = new Intl.PluralRules(file.replace('.json', '')).resolvedOptions().pluralCategories.sort();
        for (const [key, message] of Object.entries(messages)) {
            if (!keys.has(key)) continue;
            const forms = typeof message === 'string' ? { other: message } : message;
            const wanted = key.includes('{count}') ? categories : ['other'];
            if (Object.keys(forms).sort().join() !== wanted.join()) {
                problems.push(`${file}: “${key}” needs the plural forms ${wanted.join(', ')}`);
            }
            for (const [form, text] of Object.entries(forms)) checkPlaceholders(file, key, text, form !== 'other');
        }
    }
}

/** A singular may say “one” instead of the number. */
function checkPlaceholders(file, key, text, mayLackCount) {
    if (typeof text !== 'string' || !text.trim()) {
        problems.push(`${file}: “${key}” has no text`);
        return;
    }
    const wanted = placeholders(keys.get(key) ?? key);
    const found = placeholders(text);
    const missing = wanted.filter((name) => !found.includes(name) && !(mayLackCount && name === 'count'));
    const unknown = found.filter((name) => !wanted.includes(name));
    if (missing.length || unknown.length) {
        problems.push(
            `${file}: “${key}” has the placeholders ${found.join(', ') || 'none'} instead of ${wanted.join(', ') || 'none'}`,
        );
    }
}

function same(file, wanted, found) {
    for (const key of wanted) if (!found.includes(key)) problems.push(`${file}: no text for “${key}”`);
    for (const key of found) if (!wanted.includes(key)) problems.push(`${file}: “${key}” is not used any more`);
}

for (const file of scripts(site)) {
    const name = path.relative(site, file);
    if (!EXCEPT.test(name) && !name.startsWith('scripts/texts/')) check(file);
}
if (process.argv.includes('--keys')) {
    console.log([...keys.keys()].join('\n'));
} else {
    if (fs.existsSync(path.join(site, 'scripts/texts'))) checkTranslations();
    for (const problem of problems) console.log(`check-page: ${problem}`);
    process.exit(problems.length ? 1 : 0);
}
