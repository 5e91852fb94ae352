/**
 * What this browser keeps for the page. Where it is told to keep nothing, even to look at `localStorage` throws: then it holds
 * for as long as the page is open.
 *
 * @returns {Storage}
 */
export function browserStorage() {
    try {
        return localStorage;
    } catch {
        return forThisVisit;
    }
}

const values = new Map();
/** @type {any} */
const forThisVisit = {
    getItem: key => values.get(key) ?? null,
    setItem: (key, value) => { values.set(key, String(value)); },
    removeItem: key => { values.delete(key); },
};
