/**
 * Computes a pure function once for each argument, and keeps what it answers: for functions that cost much and are called
 * with a few arguments, such as a chain's addresses.
 */
export function oncePer<K, V>(compute: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const value = compute(key);
    known.set(key, value);
    return value;
  };
}
