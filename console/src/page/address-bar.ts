const KEY = "tributary-api-key";

/** Parameters of a link to the console, which it also writes into its own address. */
export interface LinkedSwap {
  readonly sell?: string | undefined;
  readonly buy?: string | undefined;
  readonly sellAmount?: string | undefined;
  readonly buyAmount?: string | undefined;
}

/**
 * The API key: from the link that the service prints (`#key=`), else from this tab's session. What follows `#` is never
 * sent to a server, and the key is taken out of the address at once, so that no copied link carries it.
 */
export function takeKey(): string | undefined {
  const hash = new URLSearchParams(location.hash.slice(1));
  const linked = hash.get("key");
  if (linked !== null) {
    rememberKey(linked);
    hash.delete("key");
    history.replaceState(null, "", `#${hash}`);
  }
  return sessionStorage.getItem(KEY) ?? undefined;
}

export function rememberKey(key: string): void {
  sessionStorage.setItem(KEY, key);
}

export function forgetKey(): void {
  sessionStorage.removeItem(KEY);
}

export function readLink(): LinkedSwap {
  const hash = new URLSearchParams(location.hash.slice(1));
  const get = (name: string) => hash.get(name) ?? undefined;
  return { sell: get("sell"), buy: get("buy"), sellAmount: get("sellAmount"), buyAmount: get("buyAmount") };
}

export function writeLink(swap: LinkedSwap): void {
  const given = Object.entries(swap).filter((entry): entry is [string, string] => entry[1] !== undefined);
  history.replaceState(null, "", `#${new URLSearchParams(given)}`);
}
