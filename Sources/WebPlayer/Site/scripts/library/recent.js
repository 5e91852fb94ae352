/**
 * Stores a value as the latest one, and forgets the oldest ones beyond a number.
 * @template Key, Value
 * @param {Map<Key, Value>} map @param {Key} key @param {Value} value @param {number} most
 */
export function keepRecent(map, key, value, most) {
    map.delete(key);
    map.set(key, value);
    forgetOldest(map, most);
}

/** Forgets the oldest values beyond a number. @param {Map<any, any>} map @param {number} most */
export function forgetOldest(map, most) {
    for (const oldest of map.keys()) {
        if (map.size <= most) return;
        map.delete(oldest);
    }
}
