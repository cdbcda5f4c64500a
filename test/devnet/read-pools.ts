import { createPublicClient, http, parseAbi, parseEventLogs } from "viem";
import type { Devnet } from "../../src/devnet/devnet.ts";
import { type Address, toAddress } from "../../src/domain/address.ts";

/** A pool as the chain itself tells of it. */
export interface ChainPool {
  readonly source: string;
  readonly address: Address;
  readonly token0: Address;
  readonly token1: Address;
  /** Parts per million of what goes in; undefined for constant-product pairs. */
  readonly fee: number | undefined;
  readonly tickSpacing: number | undefined;
  /** Both reserves of a pair; price, tick and liquidity of a V3 pool. */
  readonly state: readonly bigint[];
  /** Lower and upper tick of each position minted in a V3 pool. */
  readonly positions: readonly (readonly [number, number])[];
}

const EVENTS = parseAbi([
  "event PairCreated(address indexed token0, address indexed token1, address pair, uint256 count)",
  "event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool)",
  "event Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)",
]);

const POOL = parseAbi([
  "function getReserves() view returns (uint112, uint112, uint32)",
  "function slot0() view returns (uint160, int24, uint16, uint16, uint16, uint32, bool)",
  "function liquidity() view returns (uint128)",
]);

export function clientOf(devnet: Devnet) {
  return createPublicClient({ transport: http(devnet.rpcUrl) });
}

/** Every pool of the devnet's venues, in the order of their creation. */
export async function readPools(devnet: Devnet): Promise<readonly ChainPool[]> {
  const client = clientOf(devnet);
  const logs = parseEventLogs({ abi: EVENTS, logs: await client.getLogs({ fromBlock: 0n, toBlock: "latest" }) });
  const sources = new Map(
    devnet.chain.venues.flatMap((venue) => ("factory" in venue ? [[venue.factory, venue.source] as const] : [])),
  );
  const sourceOf = (factory: string) => sources.get(toAddress(factory));
  const mints = logs.filter((log) => log.eventName === "Mint");
  return await Promise.all(
    logs.flatMap((log) => {
      const source = sourceOf(log.address);
      if (log.eventName === "Mint" || source === undefined) return [];
      const [token0, token1] = [toAddress(log.args.token0), toAddress(log.args.token1)];
      const pool = async (): Promise<ChainPool> => {
        if (log.eventName === "PairCreated") {
          const address = toAddress(log.args.pair);
          const [reserve0, reserve1] = await client.readContract({ address, abi: POOL, functionName: "getReserves" });
          const state = [reserve0, reserve1];
          return { source, address, token0, token1, fee: undefined, tickSpacing: undefined, state, positions: [] };
        }
        const address = toAddress(log.args.pool);
        const [price, tick] = await client.readContract({ address, abi: POOL, functionName: "slot0" });
        const liquidity = await client.readContract({ address, abi: POOL, functionName: "liquidity" });
        return {
          ...{ source, address, token0, token1, fee: log.args.fee, tickSpacing: log.args.tickSpacing },
          state: [price, BigInt(tick), liquidity],
          positions: mints
            .filter((mint) => toAddress(mint.address) === address)
            .map(({ args }) => [args.tickLower, args.tickUpper]),
        };
      };
      return [pool()];
    }),
  );
}
