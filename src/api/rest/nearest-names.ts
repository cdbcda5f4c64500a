/** Work that the suggestions of one request may take, in pairs of characters compared: about a tenth of a millisecond. */
export const MAX_COMPARED = 30_000;

/** Suggests the names that a caller may have meant, as long as the work allowed for its request lasts. */
export interface Suggestions {
  /** The names closest to `given` by edit distance, letter case ignored; none when nothing is close. */
  nearest(given: string, names: readonly string[], atMost: number): string[];
  /** Pairs of characters compared so far. */
  readonly compared: number;
}

/**
 * Suggestions for one request. A caller chooses how many names are wrong and how long they are, so that `most` bounds what
 * all of them cost together: names beyond it get no suggestion.
 */
export function createSuggestions(most = MAX_COMPARED): Suggestions {
  let compared = 0;
  /** Whether that much more may be compared; then it counts. */
  const spend = (pairs: number): boolean => {
    if (compared + pairs > most) return false;
    compared += pairs;
    return true;
  };
  return {
    get compared() {
      return compared;
    },
    nearest(given, names, atMost) {
      const wanted = given.slice(0, 64).toLowerCase();
      const limit = Math.max(2, Math.floor(wanted.length / 3));
      const near: { readonly name: string; readonly distance: number }[] = [];
      for (const name of names) {
        const known = name.toLowerCase();
        if (!spend(wanted.length + known.length)) return [];
        if (contains(wanted, known)) {
          near.push({ name, distance: 1 });
          continue;
        }
        // No fewer edits than letters that are missing.
        if (Math.abs(wanted.length - known.length) > limit) continue;
        if (!spend(wanted.length * known.length)) return [];
        const distance = editDistance(wanted, known);
        if (distance <= limit) near.push({ name, distance });
      }
      near.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
      return near.slice(0, atMost).map(({ name }) => name);
    },
  };
}

/** The names closest to `given`, where nobody bounds the work: for words that an operator types. */
export function nearestNames(given: string, names: readonly string[], atMost: number): string[] {
  return createSuggestions(Number.POSITIVE_INFINITY).nearest(given, names, atMost);
}

/** Whether one text holds the other, both have three letters or more, and they are not the same. */
function contains(a: string, b: string): boolean {
  return a !== b && Math.min(a.length, b.length) >= 3 && (a.includes(b) || b.includes(a));
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + same));
    }
    row = next;
  }
  return row[b.length]!;
}
