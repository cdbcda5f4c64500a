/** After so long somebody who waits wants to know what for. */
const PATIENCE_MS = 2_000;

/** Says what is being waited for when it takes longer than two seconds. */
export async function withProgress<Result>(
  what: string,
  note: (text: string) => void,
  work: Promise<Result>,
): Promise<Result> {
  const timer = setTimeout(() => note(`${what} …`), PATIENCE_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
