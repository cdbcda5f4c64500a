/** An answer to an operator or a tool. */
export interface Page {
  readonly status: number;
  readonly contentType: string;
  /** Parts are sent one after another. */
  readonly body: string | Uint8Array | readonly Uint8Array[];
  /** Absent: nobody keeps it. */
  readonly cacheControl?: string;
}

/** Makes a page for a caller who reaches the service at `origin`, such as `https://swap.example:8443`. */
export type PageMaker = (origin: string) => Page;

/** Stands in a text for the service's origin until it is known who asks. No host can have this name (RFC 2606). */
export const ORIGIN = "http://origin.invalid";

/**
 * A page that stays as it is, however many readers take their time over it: it is there once. Only the origin, where it
 * stands in the text, is each caller's own.
 */
export function keptPage(make: () => Page & { readonly body: string }): PageMaker {
  let made: Omit<Page, "body"> & { readonly parts: readonly Buffer[] };
  return (origin) => {
    if (made === undefined) {
      const { body, ...page } = make();
      made = { ...page, parts: body.split(ORIGIN).map((part) => Buffer.from(part)) };
    }
    const { parts, ...page } = made;
    const [first, ...others] = parts;
    if (first === undefined || others.length === 0) return { ...page, body: first ?? "" };
    const name = Buffer.from(origin);
    return { ...page, body: [first, ...others.flatMap((part) => [name, part])] };
  };
}

/** A value as JSON; whole numbers beyond 2^53 as text. */
export function jsonPage(status: number, value: unknown): Page & { readonly body: string } {
  const body = JSON.stringify(value, (_, field: unknown) => (typeof field === "bigint" ? field.toString() : field));
  return { status, contentType: "application/json", body };
}
