import type { BlockRef } from "../../domain/block.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { Logger } from "../../ops/logger.ts";
import type { ChainRecord } from "../chains/chain-record.ts";
import { parseQuantity } from "../rpc/codec.ts";
import { parsedAnswer } from "../rpc/parsed-answer.ts";
import type { Provider } from "../rpc/provider.ts";
import type { NodeReader } from "../rpc/reader.ts";

/** The node serves another chain than the one that is configured. */
export class WrongChainError extends Error {
  override readonly name = "WrongChainError";
}

/** @throws WrongChainError when the node's chain id is not the record's; what the node failed with. */
export async function checkChainId(
  provider: Pick<Provider, "request">,
  record: Pick<ChainRecord, "chainId" | "name">,
): Promise<void> {
  const chainId = await parsedAnswer(provider, "eth_chainId", [], (answer) => parseQuantity(answer, "eth_chainId"));
  if (chainId !== BigInt(record.chainId)) {
    throw new WrongChainError(
      `The node serves chain ${chainId}, and ${record.name} has chain id ${record.chainId}. ` +
        `Set RPC_URL to a node of chain ${record.chainId}, or CHAIN or CHAIN_FILE to a record of chain ${chainId}.`,
    );
  }
}

type CodeReader = Pick<NodeReader, "hasCode" | "codeFault">;

/**
 * The sources whose contracts (factories, fixed pools) all have code at `at`, and whose swaps run the code that the record names;
 * others are off, which `logger` is told.
 */
export async function sourcesWithCode(
  reader: CodeReader,
  sources: readonly LiquiditySource[],
  at: BlockRef,
  logger?: Logger,
): Promise<readonly LiquiditySource[]> {
  const usable: LiquiditySource[] = [];
  for (const source of sources) {
    const contracts = [
      ...(source.creation?.addresses ?? []),
      ...(source.fixed?.() ?? []).map(({ address }) => address),
    ];
    const standing = await Promise.all(contracts.map((contract) => reader.hasCode(contract, at)));
    const missing = contracts.filter((_, index) => !standing[index]);
    const faults = missing.length === 0 ? await codeFaults(reader, source, at) : [];
    if (missing.length > 0)
      logger?.warn({ source: source.id, missing }, "source is off: there is no contract where the chain record says");
    else if (faults.length > 0)
      logger?.warn(
        { source: source.id, faults },
        "source is off: a contract is not the one that the chain record names",
      );
    else usable.push(source);
  }
  return usable;
}

/** Faults of the code that a source's swaps run, a sentence for each contract. */
export async function codeFaults(
  reader: Pick<NodeReader, "codeFault">,
  { code = [] }: Pick<LiquiditySource, "code">,
  at: BlockRef,
): Promise<readonly string[]> {
  const faults = await Promise.all(code.map(({ address, hash }) => reader.codeFault(address, hash, at)));
  return faults.flatMap((fault, index) => (fault === undefined ? [] : [`${code[index]?.address}: ${fault}`]));
}
