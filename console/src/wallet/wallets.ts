/** A wallet's way in (EIP-1193). What it answers is not to be believed before it is looked at. */
export interface WalletProvider {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
  on?(event: string, listener: (value: unknown) => void): void;
  removeListener?(event: string, listener: (value: unknown) => void): void;
}

/** A wallet that is in this browser. */
export interface Wallet {
  readonly name: string;
  /** A picture as a data URL; none when the wallet has given something else. */
  readonly icon: string | undefined;
  readonly provider: WalletProvider;
}

/** Calls `found` with each wallet that announces itself (EIP-6963), and with an older one that just sits on the page. */
export function discoverWallets(found: (wallet: Wallet) => void): void {
  const seen = new Set<WalletProvider>();
  const add = (provider: unknown, name: unknown, icon: unknown) => {
    if (!isProvider(provider) || seen.has(provider)) return;
    seen.add(provider);
    const isPicture = typeof icon === "string" && icon.startsWith("data:image/");
    found({ name: typeof name === "string" ? name : "wallet", icon: isPicture ? icon : undefined, provider });
  };
  addEventListener("eip6963:announceProvider", (event) => {
    const { info, provider } = ((event as CustomEvent).detail ?? {}) as {
      readonly info?: { readonly name?: unknown; readonly icon?: unknown };
      readonly provider?: unknown;
    };
    add(provider, info?.name, info?.icon);
  });
  dispatchEvent(new Event("eip6963:requestProvider"));
  const { ethereum } = globalThis as { readonly ethereum?: unknown };
  if (seen.size === 0) add(ethereum, "the browser's wallet", undefined);
}

function isProvider(value: unknown): value is WalletProvider {
  return typeof value === "object" && value !== null && "request" in value && typeof value.request === "function";
}
