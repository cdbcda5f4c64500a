/** The names closest to `given` by edit distance, letter case ignored; none when nothing is close. */
export function nearestNames(given: string, names: readonly string[], atMost: number): string[] {
  const wanted = given.slice(0, 64).toLowerCase();
  const limit = Math.max(2, Math.floor(wanted.length / 3));
  return names
    .map((name) => ({ name, distance: distanceTo(wanted, name.toLowerCase()) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, atMost)
    .map(({ name }) => name);
}

/** Edit distance; 1 at most when one text holds the other and both have three letters or more. */
function distanceTo(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + same));
    }
    row = next;
  }
  const contained = Math.min(a.length, b.length) >= 3 && (a.includes(b) || b.includes(a)) && a !== b;
  return contained ? Math.min(1, row[b.length]!) : row[b.length]!;
}
