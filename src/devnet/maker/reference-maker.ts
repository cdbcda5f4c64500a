import type { Hex } from "viem";
import { type Address, toAddress } from "../../domain/address.ts";
import type { Logger } from "../../ops/logger.ts";
import { devnetLayout } from "../markets/devnet-layout.ts";
import { devnetAccounts } from "../node/accounts.ts";
import { DEVNET_CHAIN_ID } from "../node/anvil.ts";
import { createJsonRpc, type JsonRpc } from "../node/json-rpc.ts";
import { createReferenceDesk } from "./desk.ts";
import { FollowedBooks } from "./followed-books.ts";
import { ASKED_PAIRS, stockMaker } from "./inventory.ts";
import { MakerServer } from "./maker-server.ts";

/** A market maker of the devnet, which speaks what docs/makers.md says. */
export interface ReferenceMaker {
  /** WebSocket of its levels; the same path over HTTP answers a poll. */
  readonly levelsUrl: string;
  readonly ordersUrl: string;
  /** Account whose tokens it sells. */
  readonly account: Address;
  /** The pairs that it trades for who asks, and shows no levels of. */
  readonly askedPairs: readonly (readonly [Address, Address])[];
  /** Value that it expects in the header `authorization`. */
  readonly authorization: string;
  stop(): Promise<void>;
}

/** Times between looks for a new block, and at most between messages with its levels. */
const LOOK_EVERY_MS = 200;
const TELL_EVERY_MS = 1_000;

/** Node, contract and port of a reference maker. */
export interface MakerOptions {
  /** The devnet's node. */
  readonly rpcUrl: string;
  /** OrderSettlement, deployed. */
  readonly settlement: Address;
  /** TCP port on 127.0.0.1; 0 takes a free one. */
  readonly port: number;
  /** Value of the `authorization` header that callers have to send. */
  readonly authorization: string;
  readonly logger: Logger;
}

/**
 * Gives the maker its inventory and opens its desk. Its levels follow from the newest block's reserves alone.
 * @throws Error when the node is not a devnet, or the port is taken
 */
export async function startReferenceMaker(options: MakerOptions): Promise<ReferenceMaker> {
  const { settlement, authorization, logger } = options;
  const rpc = createJsonRpc(options.rpcUrl);
  await assertDevnet(rpc);
  const { whale, maker: account } = devnetAccounts();
  const layout = devnetLayout(whale);
  await stockMaker(rpc, layout, { whale, maker: account.address }, settlement);
  const desk = createReferenceDesk({
    chainId: DEVNET_CHAIN_ID,
    settlement,
    account,
    // Nonces of one run lie side by side, which is cheaper on chain, and above those of the runs before.
    firstNonce: BigInt(Date.now()) << 64n,
  });
  const books = new FollowedBooks(rpc, layout, desk);
  let toldAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const server = new MakerServer({
    authorization,
    levels: () => books.levels,
    order: (question) => desk.answer(books.now, question),
  });

  async function look(): Promise<void> {
    const hasChanged = await books.follow();
    if (!hasChanged && Date.now() - toldAt < TELL_EVERY_MS) return;
    toldAt = Date.now();
    server.tell();
  }

  async function run(): Promise<void> {
    try {
      await look();
    } catch (error) {
      if (!stopped) logger.debug({ err: error }, "the reference maker could not read the devnet");
    }
    if (!stopped) timer = setTimeout(() => void run(), LOOK_EVERY_MS);
  }

  await look();
  const host = await server.open(options.port);
  void run();
  return {
    levelsUrl: `ws://${host}/levels`,
    ordersUrl: `http://${host}/orders`,
    account: toAddress(account.address),
    askedPairs: ASKED_PAIRS.map(([a, b]) => [layout.token(a).address, layout.token(b).address]),
    authorization,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await server.close();
    },
  };
}

/** @throws Error when the node is not a devnet */
async function assertDevnet(rpc: JsonRpc): Promise<void> {
  const chainId = Number(await rpc.call<Hex>("eth_chainId"));
  if (chainId !== DEVNET_CHAIN_ID) {
    throw new Error(
      `the node serves chain ${chainId}: the reference maker trades on a devnet (${DEVNET_CHAIN_ID}) only`,
    );
  }
}
