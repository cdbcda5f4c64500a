import { openBps } from "../../../fixtures/routing/certificate-gap.ts";
import type { PeerUniverse } from "../../../fixtures/universes/priced.ts";
import { quantile } from "../../quantile.ts";
import type { Contestant } from "../meeting/contestants.ts";
import { behindOf, type Case, FINE_ENOUGH, type Score, type Tally } from "../meeting/meeting.ts";
import type { Ours } from "../meeting/ours.ts";
import type { PeerRequest } from "../meeting/requests.ts";
import type { UniverseKind } from "../meeting/universes.ts";
import type { Spent } from "../routers/serve.ts";

/** All that a run has found out about one set of pools. */
export interface Comparison {
  readonly kind: UniverseKind;
  readonly universe: PeerUniverse;
  readonly requests: readonly PeerRequest[];
  readonly ours: readonly Ours[];
  readonly tallies: readonly Tally[];
  /** Contestants that do not take part, and why. */
  readonly absent: readonly (readonly [Contestant, string])[];
}

/** Sizes, as parts of the smaller of what pools hold of the two tokens. */
const BANDS: readonly { readonly name: string; readonly has: (part: number) => boolean }[] = [
  { name: "1 to 1,000 units", has: (part) => part === 0 },
  { name: "up to 1 % of all", has: (part) => part > 0 && part <= 0.01 },
  { name: "1 % to all", has: (part) => part > 0.01 && part <= 1 },
  { name: "beyond", has: (part) => part > 1 },
];

/** A comparison in lines of text. */
export function* linesOf(comparison: Comparison): Generator<string> {
  const { kind, universe, requests, ours, tallies, absent } = comparison;
  const held = `${universe.pools.length} pools, ${universe.depth.size} tokens`;
  const fee =
    kind.fee === undefined ? "" : `, fee of V2 pools ${Number(kind.fee.feeNum * 10_000n) / Number(kind.fee.feeDen)} bp`;
  yield `\n${universe.name} (${kind.key}): ${held}${fee}, ${requests.length} requests`;
  const pools = ours.flatMap((answer) => answer.pools ?? []);
  yield `  ${"Tributary".padEnd(20)} ${timesOf(ours.map(({ spent }) => spent))} | pools ${spread(pools, 0)}`;
  const refused = counted(ours.flatMap(({ result }) => (result.found ? [] : [result.reason.kind])));
  if (refused !== "") yield `    no route: ${refused}`;
  yield* gapsOf(comparison);
  for (const [{ name }, why] of absent) yield `  ${name} does not take part: ${why}`;
  for (const { contestant, spent, pools: used, onAll, onSame, reasons } of tallies) {
    yield `  ${contestant.name.padEnd(20)} ${timesOf(spent)} | pools ${spread(used, 0)}`;
    yield `    ${inScore(onAll)}`;
    if (onSame !== undefined) yield `    on the pools alone that it can see: ${inScore(onSame)}`;
    const left = [...reasons].map(([reason, count]) => `${reason} ${count}`);
    if (left.length > 0) yield `    not compared: ${left.join("; ")}`;
  }
  const losses = tallies.flatMap((tally) => tally.losses);
  const outside = tallies.flatMap((tally) => tally.outside);
  yield `  ${losses.length} counted plans of others pay more than ours${losses.length > 0 ? ":" : ""}`;
  for (const loss of losses) yield* caseLines(kind, loss);
  if (outside.length > 0) yield `  ${outside.length} plans outside the feasible set, not counted:`;
  for (const plan of outside) yield* caseLines(kind, plan);
}

function* gapsOf({ requests, ours }: Comparison): Generator<string> {
  for (const gas of ["without gas", "with gas"])
    for (const band of BANDS) {
      const gaps = ours.flatMap((answer, i) => {
        const { gasPrice, part } = requests[i] as PeerRequest;
        const gap = gapOf(answer);
        return gap !== undefined && (gasPrice === 0n) === (gas === "without gas") && band.has(part) ? [gap] : [];
      });
      if (gaps.length > 0)
        yield `    gap ${gas.padEnd(12)} ${band.name.padEnd(17)} bp ${spread(gaps, 3)} (${gaps.length} answers)`;
    }
}

/** The gap that the certificate leaves, in basis points of the answer; undefined where that says nothing. */
export function gapOf({ result }: Ours): number | undefined {
  if (!result.found || result.certificate === undefined || result.certificate.achieved < FINE_ENOUGH) return undefined;
  return openBps(result.certificate);
}

/** A plan beside ours, and how to ask both again. */
function* caseLines({ key }: UniverseKind, { by, request, ours, theirs, outside }: Case): Generator<string> {
  const behind = behindOf(ours, theirs);
  const bp = behind === undefined ? "" : `, ${(-behind).toPrecision(3)} bp`;
  const why = outside === undefined ? "" : ` (${outside})`;
  const { sellToken, buyToken, sellAmount, gasPrice, part } = request;
  yield `    ${by}: ${theirs} against ${ours}${bp}, ${part.toExponential(1)} of all${why}`;
  yield `      node bench/peers/ask.ts ${key} ${sellAmount} ${sellToken} ${buyToken} ${gasPrice} "${by}"`;
}

function spread(values: readonly number[], digits: number): string {
  if (values.length === 0) return "none".padStart(26);
  return [0.5, 0.9, 0.99]
    .map((part) => quantile(values, part))
    .map((value) => (Math.abs(value) < 1e6 ? value.toFixed(digits) : value.toExponential(1)).padStart(8))
    .join(" ");
}

function timesOf(spent: readonly Spent[]): string {
  const [wall, cpu] = [spent.map((one) => one.wall), spent.map((one) => one.cpu)];
  return `ms ${spread(wall, 1)} | of a processor ${spread(cpu, 1)}`;
}

function inScore({ better, equal, worse, behind }: Score): string {
  return `we bring more ${better}, the same ${equal}, less ${worse}; behind us, bp ${spread(behind, 2)}`;
}

function counted(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].map(([word, count]) => `${word} ${count}`).join(", ");
}
