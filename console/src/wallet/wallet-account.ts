import { NATIVE_TOKEN, type TransactionArguments } from "../../../src/client/index.ts";
import type { WalletProvider } from "./wallets.ts";

/** One account of a wallet, on the chain that the service serves. */
export interface WalletAccount {
  /** Lower case. */
  readonly address: string;
  /** Has the wallet on this chain, or asks it to change. @throws WalletError */
  useChain(chainId: number): Promise<void>;
  /**
   * Base units of a token that the account holds, and what gas costs (wei) by the wallet's node; undefined while the wallet
   * is on another chain or does not say.
   */
  balance(token: string, chainId: number): Promise<{ readonly units: bigint; readonly gasPrice: bigint } | undefined>;
  /** Has the wallet sign and send, and waits until it is mined. @throws WalletError also when it reverts */
  send(transaction: TransactionArguments): Promise<Receipt>;
}

/** Receipt of a mined transaction. */
export interface Receipt {
  readonly hash: string;
  readonly blockNumber: bigint;
  /** Base units of a token that it moved to an account, by the token's own logs. */
  received(token: string, account: string): bigint;
}

/** Refusal or failure of a wallet, as a sentence for people. */
export class WalletError extends Error {
  override readonly name = "WalletError";
}

const ADDRESS = /^0x[0-9a-f]{40}$/i;
/** `Transfer(address,address,uint256)` of ERC-20. */
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
/** `balanceOf(address)` of ERC-20. */
const BALANCE_OF = "0x70a08231";
const LOOK_EVERY_MS = 1_000;
const PATIENCE_MS = 180_000;

/** Error codes of EIP-1193 and EIP-3326, and what JSON-RPC says for a second question while the first is open. */
const SAYINGS: Readonly<Record<number, string>> = {
  4001: "You declined it in the wallet. Nothing was sent.",
  4100: "The wallet does not let this page use the account. Connect it again.",
  4900: "The wallet is not connected to any chain.",
  4901: "The wallet is not connected to this chain.",
  4902: "The wallet does not know this chain. Add it there, then try again.",
  [-32002]: "The wallet has a question open already. Answer it there.",
};

/** Asks a wallet for its account. @throws WalletError */
export async function connect(provider: WalletProvider): Promise<WalletAccount> {
  const accounts = await ask(provider, "eth_requestAccounts");
  const [address] = Array.isArray(accounts) ? accounts : [];
  if (typeof address !== "string" || !ADDRESS.test(address)) throw new WalletError("The wallet names no account.");
  return accountAt(provider, address.toLowerCase());
}

function accountAt(provider: WalletProvider, address: string): WalletAccount {
  return {
    address,
    async useChain(chainId) {
      const wanted = toHex(BigInt(chainId));
      const isThere = async () => Number(await ask(provider, "eth_chainId")) === chainId;
      if (await isThere()) return;
      await ask(provider, "wallet_switchEthereumChain", [{ chainId: wanted }]);
      if (!(await isThere())) throw new WalletError(`The wallet is on another chain. Change it to chain ${chainId}.`);
    },
    async balance(token, chainId) {
      try {
        if (Number(await ask(provider, "eth_chainId")) !== chainId) return undefined;
        const call = { to: token, data: `${BALANCE_OF}${address.slice(2).padStart(64, "0")}` };
        const [units, gasPrice] = await Promise.all([
          token === NATIVE_TOKEN
            ? ask(provider, "eth_getBalance", [address, "latest"])
            : ask(provider, "eth_call", [call, "latest"]),
          ask(provider, "eth_gasPrice"),
        ]);
        return { units: BigInt(String(units).slice(0, 66)), gasPrice: BigInt(String(gasPrice)) };
      } catch {
        return undefined;
      }
    },
    async send({ to, data, value, gas }) {
      const transaction = {
        from: address,
        to,
        data,
        value: toHex(value),
        ...(gas !== undefined && { gas: toHex(gas) }),
      };
      const hash = await ask(provider, "eth_sendTransaction", [transaction]);
      if (typeof hash !== "string") throw new WalletError("The wallet does not say which transaction it has sent.");
      return mined(provider, hash);
    },
  };
}

async function mined(provider: WalletProvider, hash: string): Promise<Receipt> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; ) {
    const receipt = (await ask(provider, "eth_getTransactionReceipt", [hash])) as WireReceipt | null;
    if (receipt !== null) return readReceipt(hash, receipt);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  throw new WalletError(`The transaction ${hash} is not mined yet. Look after it in the wallet.`);
}

interface WireReceipt {
  readonly status?: string;
  readonly blockNumber?: string;
  readonly logs?: readonly { readonly address: string; readonly topics: readonly string[]; readonly data: string }[];
}

function readReceipt(hash: string, { status, blockNumber = "0x0", logs = [] }: WireReceipt): Receipt {
  if (BigInt(status ?? "0x0") !== 1n) {
    throw new WalletError(`The transaction ${hash} was reverted: nothing was swapped, gas was paid.`);
  }
  return {
    hash,
    blockNumber: BigInt(blockNumber),
    received(token, account) {
      const to = `0x${account.slice(2).padStart(64, "0")}`;
      return logs
        .filter(({ address, topics: [event, , target] }) => {
          return address.toLowerCase() === token && event === TRANSFER && target?.toLowerCase() === to;
        })
        .reduce((sum, { data }) => sum + BigInt(data), 0n);
    },
  };
}

async function ask(provider: WalletProvider, method: string, params?: readonly unknown[]): Promise<unknown> {
  try {
    return await provider.request({ method, ...(params !== undefined && { params }) });
  } catch (error) {
    const { code, message } = (typeof error === "object" && error !== null ? error : {}) as {
      readonly code?: unknown;
      readonly message?: unknown;
    };
    const known = typeof code === "number" ? SAYINGS[code] : undefined;
    throw new WalletError(known ?? `The wallet says: ${typeof message === "string" ? message : "no"}`);
  }
}

function toHex(value: bigint): string {
  return `0x${value.toString(16)}`;
}
