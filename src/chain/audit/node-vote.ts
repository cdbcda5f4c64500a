import type { Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { Log } from "../../market/chain-reader.ts";
import type { LiquiditySource, PoolRef } from "../../market/liquidity-source.ts";
import type { PoolStore } from "../../market/pool-store.ts";
import { type Blocks, createBlocks } from "../blocks/blocks.ts";
import type { ChainRecord } from "../chains/chain-record.ts";
import { hasYesFrom } from "../node/first-answers.ts";
import type { Nodes, VotingNode } from "../node/nodes.ts";
import { sameValue } from "../node/same-value.ts";
import { bloomEntriesOf } from "../pools/found-pools.ts";
import { readPools } from "../pools/read-pools.ts";
import type { Clock } from "../rpc/clock.ts";
import type { Header } from "../rpc/codec.ts";
import { createChainReader } from "../rpc/reader.ts";

/** The answer that most nodes gave to a question. */
export interface Verdict<Answer> {
  readonly answer: Answer;
}

/**
 * A majority vote of all nodes on one question, each queried by itself. The answer of more than half of those that answered,
 * and of two at least, wins. A node that contradicts it twice is distrusted from then on. Nodes that do not answer have no vote.
 */
export interface NodeVote {
  /**
   * A pool at a block; an answer of undefined: it cannot be read. No verdict: there is no majority. Where a source
   * calls foreign contracts, no node is distrusted for their answers.
   */
  poolAt(
    source: LiquiditySource,
    ref: PoolRef,
    at: BlockRef,
  ): Promise<Verdict<ReturnType<PoolStore["get"]>> | undefined>;
  /** All logs of a block, where its bloom says that there are some of interest. */
  logsOf(at: BlockRef): Promise<Verdict<readonly Log[]> | undefined>;
  /**
   * Whether enough nodes (the quorum, the followed one among them) give the logs of a block as they are here, which were
   * asked for by these topics; those who are silent are not waited for. Where nodes contradict each other there is a vote.
   */
  confirms(header: Header, logs: readonly Log[], topics: readonly Hex[]): Promise<boolean>;
}

const MIN_MAJORITY = 2;
/** Fewest nodes for a vote: if two contradict each other, nobody knows which one is right. */
const MIN_PANEL = 3;

export function createNodeVote(options: {
  readonly nodes: Pick<Nodes, "panel" | "distrust" | "quorum">;
  readonly record: ChainRecord;
  readonly sources: readonly LiquiditySource[];
  readonly clock: Clock;
  /** Whether logs are proved by receipts, by every node its own. */
  readonly proves: boolean;
}): NodeVote {
  const { nodes, record, sources, clock, proves } = options;
  const allTopics = bloomEntriesOf(sources);
  const known = new Map<string, Blocks>();

  /** A node's blocks; what it takes to hold logs to blooms is remembered. */
  function blocksOf({ name, provider }: VotingNode): Blocks {
    const blocks = known.get(name) ?? createBlocks(provider, record, { clock, proves });
    known.set(name, blocks);
    return blocks;
  }

  function logsOf(at: BlockRef): Promise<Verdict<readonly Log[]> | undefined> {
    return voteOn(nodes, `the logs of block ${at.number}`, async (node) => {
      const blocks = blocksOf(node);
      return blocks.logs(await blocks.byHash(at.hash), allTopics);
    });
  }

  return {
    poolAt(source, ref, at) {
      const read = async ({ provider }: VotingNode) => {
        return (await readPools({ reader: createChainReader(provider, record) }, source, [ref], at)).get(ref.id);
      };
      return voteOn(nodes, `the state of pool ${ref.id} at block ${at.number}`, read, !source.callsForeignContracts);
    },
    logsOf,
    async confirms(header, logs, topics) {
      if (nodes.quorum <= 1) return true;
      const others = nodes.panel().filter(({ followed }) => !followed);
      const agree = others.map(async (node) => {
        const [word] = await wordsOf([node], () => blocksOf(node).logs(header, topics));
        return word && sameValue(word.answer, logs);
      });
      const voted = Promise.all(agree).then((all) => (all.includes(false) ? logsOf(header) : undefined));
      const isEnough = await hasYesFrom(
        agree.map(async (agrees) => (await agrees) === true),
        nodes.quorum - 1,
      );
      if (!isEnough) await voted;
      return isEnough;
    },
  };
}

/** Majority answer of the nodes; undefined without one. Condemns nodes that contradict it twice, if `condemns`. */
async function voteOn<Answer>(
  nodes: Pick<Nodes, "panel" | "distrust">,
  what: string,
  question: (node: VotingNode) => Promise<Answer>,
  condemns = true,
): Promise<Verdict<Answer> | undefined> {
  const asked = nodes.panel();
  if (asked.length < MIN_PANEL) return undefined;
  const words = await wordsOf(asked, question);
  const groups: Answer[][] = [];
  for (const { answer } of words) {
    const group = groups.find(([first]) => sameValue(first, answer));
    if (group === undefined) groups.push([answer]);
    else group.push(answer);
  }
  const largest = groups.reduce<readonly Answer[]>((most, group) => (group.length > most.length ? group : most), []);
  if (largest.length < MIN_MAJORITY || largest.length * 2 <= words.length) return undefined;
  const [answer] = largest as [Answer];
  if (!condemns) return { answer };
  // A slip is no lie: who is alone with its word is asked once more.
  const against = words.filter((word) => !sameValue(word.answer, answer)).map(({ node }) => node);
  for (const { node, answer: again } of await wordsOf(against, question)) {
    if (!sameValue(again, answer)) nodes.distrust(node, what);
  }
  return { answer };
}

/** The answers of those that give one. */
async function wordsOf<Answer>(asked: readonly VotingNode[], question: (node: VotingNode) => Promise<Answer>) {
  const words = asked.map(async (node) => {
    try {
      return [{ node, answer: await question(node) }];
    } catch {
      return [];
    }
  });
  return (await Promise.all(words)).flat();
}
