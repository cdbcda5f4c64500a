import type { Price } from "../../../src/client/index.ts";

export type Route = NonNullable<Price["route"]>;
export type Fill = Route["fills"][number];

/** A token with its place. */
export interface TokenBox {
  readonly symbol: string;
  readonly column: number;
  readonly y: number;
  readonly height: number;
}

/** A fill as a band: the height of its middle at each column from its first to its last. */
export interface Band {
  readonly fill: Fill;
  /** Part of the whole trade. */
  readonly share: number;
  readonly thick: number;
  readonly column: number;
  readonly ys: readonly number[];
}

export interface Layout {
  readonly boxes: readonly TokenBox[];
  readonly bands: readonly Band[];
  readonly columns: number;
  readonly height: number;
}

/** All fills between the same two tokens. */
interface Edge {
  readonly from: string;
  readonly to: string;
  readonly fills: readonly Fill[];
  thick: number;
}

/** Entry of a column: a token, or an edge that passes it. */
interface Slot {
  readonly id: string;
  readonly height: number;
  /** Slots of the column before that lead here. */
  readonly before: readonly string[];
  y: number;
}

const MIN_BAND = 2.5;
const MIN_BOX = 22;
const GAP = 22;
const MARGIN = 4;

/** Places tokens in columns by the longest way to them, and bands so that none runs behind a token. */
export function layOut(route: Route, sellToken: string, fullHeight: number): Layout {
  const { flows, columns } = measure(route, sellToken);
  const flowOf = (token: string) => flows.get(token) ?? 0;
  const columnOf = (token: string) => columns.get(token) ?? 0;
  const shareOf = (fill: Fill) => flowOf(fill.from) * Number(fill.proportion);
  const thickOf = (fill: Fill) => Math.max(shareOf(fill) * fullHeight, MIN_BAND);
  const edges = [...Map.groupBy(route.fills, ({ from, to }) => `${from}>${to}`).values()].map((fills): Edge => {
    const { from = "", to = "" } = fills[0] ?? {};
    return { from, to, fills, thick: fills.reduce((sum, fill) => sum + thickOf(fill), 0) };
  });
  const total = (side: "from" | "to", token: string) =>
    edges.filter((edge) => edge[side] === token).reduce((sum, { thick }) => sum + thick, 0);
  const passing = (edge: Edge, column: number) => `${edge.from}>${edge.to}@${column}`;
  /** The slots that an edge uses, from its token to its token. */
  const wayOf = (edge: Edge) => {
    const [first, last] = [columnOf(edge.from), columnOf(edge.to)];
    const between = Array.from({ length: Math.max(last - first - 1, 0) }, (_, i) => passing(edge, first + 1 + i));
    return [edge.from, ...between, edge.to];
  };
  const ways = new Map(edges.map((edge) => [edge, wayOf(edge)]));
  const before = (id: string) =>
    edges.flatMap((edge) => {
      const way = ways.get(edge) ?? [];
      const at = way.indexOf(id);
      return at > 0 ? [way[at - 1] ?? ""] : [];
    });

  const count = Math.max(...route.tokens.map(({ address }) => columnOf(address))) + 1;
  const slots = Array.from({ length: count }, (_, column): Slot[] => [
    ...route.tokens
      .filter(({ address }) => columnOf(address) === column)
      .map(({ address: id }) => {
        const height = Math.max(total("from", id), total("to", id), MIN_BOX);
        return { id, height, before: before(id), y: 0 };
      }),
    ...edges
      .filter((edge) => ways.get(edge)?.includes(passing(edge, column)))
      .map((edge) => ({ id: passing(edge, column), height: edge.thick, before: before(passing(edge, column)), y: 0 })),
  ]);
  const placed = place(slots);
  const yOf = (id: string) => placed.get(id)?.y ?? 0;
  const starts = stack(
    edges,
    (edge) => edge.from,
    (edge) => yOf(ways.get(edge)?.[1] ?? ""),
    placed,
  );
  const ends = stack(
    edges,
    (edge) => edge.to,
    (edge) => yOf(ways.get(edge)?.at(-2) ?? ""),
    placed,
  );

  const bands = edges.flatMap((edge) => {
    let above = 0;
    return edge.fills.map((fill): Band => {
      const thick = thickOf(fill);
      const middle = above + thick / 2;
      above += thick;
      const tops = [starts.get(edge) ?? 0, ...(ways.get(edge) ?? []).slice(1, -1).map(yOf), ends.get(edge) ?? 0];
      return { fill, share: shareOf(fill), thick, column: columnOf(edge.from), ys: tops.map((y) => y + middle) };
    });
  });
  const boxes = route.tokens.map(({ address, symbol }): TokenBox => {
    const { y = 0, height = MIN_BOX } = placed.get(address) ?? {};
    return { symbol: nameOf({ symbol, address }), column: columnOf(address), y, height };
  });
  const height = Math.max(...[...placed.values()].map((slot) => slot.y + slot.height)) + MARGIN;
  return { boxes, bands, columns: count, height };
}

/** A token's symbol, or the beginning of its address where it has none that could be read. */
export function nameOf({ symbol, address }: Pick<Route["tokens"][number], "symbol" | "address">): string {
  return symbol === "" ? `${address.slice(0, 6)}…` : symbol;
}

/** Each token's part of the trade and its column. A token is done when all that makes it is. */
function measure({ tokens, fills }: Route, sellToken: string) {
  const flows = new Map(tokens.map(({ address }) => [address, address === sellToken ? 1 : 0]));
  const columns = new Map(tokens.map(({ address }) => [address, 0]));
  const waiting = new Set(fills);
  for (let moved = true; moved && waiting.size > 0; ) {
    moved = false;
    for (const fill of [...waiting]) {
      if ([...waiting].some(({ to }) => to === fill.from)) continue;
      waiting.delete(fill);
      moved = true;
      flows.set(fill.to, (flows.get(fill.to) ?? 0) + (flows.get(fill.from) ?? 0) * Number(fill.proportion));
      columns.set(fill.to, Math.max(columns.get(fill.to) ?? 0, (columns.get(fill.from) ?? 0) + 1));
    }
  }
  return { flows, columns };
}

/** Gives every slot its height: within a column by where they come from, columns centred on the tallest. */
function place(columns: readonly (readonly Slot[])[]): ReadonlyMap<string, Slot> {
  const placed = new Map<string, Slot>();
  const heightOf = (slots: readonly Slot[]) =>
    slots.reduce((sum, { height }) => sum + height, 0) + GAP * Math.max(slots.length - 1, 0);
  const tallest = Math.max(...columns.map(heightOf));
  const origin = ({ before }: Slot) => {
    const ys = before.map((id) => placed.get(id)).map((slot) => (slot === undefined ? 0 : slot.y + slot.height / 2));
    return ys.reduce((sum, y) => sum + y, 0) / Math.max(ys.length, 1);
  };
  for (const slots of columns) {
    const ordered = slots.map((slot) => ({ slot, origin: origin(slot) }));
    ordered.sort((a, b) => a.origin - b.origin || b.slot.height - a.slot.height);
    let y = MARGIN + (tallest - heightOf(slots)) / 2;
    for (const { slot } of ordered) {
      slot.y = y;
      y += slot.height + GAP;
      placed.set(slot.id, slot);
    }
  }
  return placed;
}

/** The top of each edge at one of its tokens: one below the other, in the order of where they lead. */
function stack(
  edges: readonly Edge[],
  tokenOf: (edge: Edge) => string,
  leadsTo: (edge: Edge) => number,
  placed: ReadonlyMap<string, Slot>,
): ReadonlyMap<Edge, number> {
  const tops = new Map<Edge, number>();
  for (const [token, group] of Map.groupBy(edges, tokenOf)) {
    const slot = placed.get(token);
    const used = group.reduce((sum, { thick }) => sum + thick, 0);
    let y = (slot?.y ?? 0) + ((slot?.height ?? used) - used) / 2;
    for (const edge of group.toSorted((a, b) => leadsTo(a) - leadsTo(b))) {
      tops.set(edge, y);
      y += edge.thick;
    }
  }
  return tops;
}
