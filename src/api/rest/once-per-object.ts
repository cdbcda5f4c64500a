/**
 * Makes something of an object once, however many ask for it, and keeps it as long as the object is kept. `more` is to be
 * equal whenever the object is.
 */
export function oncePerObject<K extends object, V, A extends readonly unknown[] = []>(
  make: (object: K, ...more: A) => V,
): (object: K, ...more: A) => V {
  const made = new WeakMap<K, V>();
  return (object, ...more) => {
    const known = made.get(object);
    if (known !== undefined) return known;
    const value = make(object, ...more);
    made.set(object, value);
    return value;
  };
}
