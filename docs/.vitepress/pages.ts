/** A task that readers come with, and the pages for it. */
interface Task {
  readonly title: string;
  /** Who reads it, and what for. */
  readonly about: string;
  readonly pages: readonly Entry[];
}

/** Words of the menu, with a page's path in the repository or with entries below them. */
type Entry = readonly [text: string, page: string | readonly Entry[]];

/**
 * The site's menu. Each page stands in it once; an entry with an anchor leads to a section of a page that stands elsewhere.
 */
export const TASKS: readonly Task[] = [
  {
    title: "Start",
    about: "A first price within minutes, on a chain of your own.",
    pages: [
      ["Quickstart", "docs/quickstart.md"],
      ["Examples", "examples/README.md"],
      ["Devnet", "docs/devnet.md"],
    ],
  },
  {
    title: "Integrate",
    about: "Prices and swaps over REST or gRPC, in a page, a bot or an agent.",
    pages: [
      ["REST and answers", "docs/api.md"],
      ["gRPC in any language", "docs/quickstart.md#you-write-in-another-language"],
      ["Browser and wallet", "docs/quickstart.md#you-write-a-wallet-or-a-web-page"],
      ["Back end and bot", "docs/quickstart.md#you-write-a-back-end-or-a-bot"],
      ["Agent (MCP)", "docs/mcp.md"],
      ["API reference", "docs/reference.md"],
      ["Tokens and the chain", "docs/tokens.md"],
      ["Errors", "docs/errors.md"],
      [
        "Change over",
        [
          ["From 0x v1", "docs/from-0x-v1.md"],
          ["From 0x v2", "docs/from-0x-v2.md"],
          ["From 1inch", "docs/from-1inch.md"],
          ["From Odos", "docs/from-odos.md"],
        ],
      ],
      ["Market makers", "docs/makers.md"],
    ],
  },
  {
    title: "Operate",
    about: "Run it for your users: configure, watch, protect, scale.",
    pages: [
      [
        "Run",
        [
          ["Operations", "docs/operations.md"],
          ["Configuration", "docs/configuration.md"],
          ["Command line", "docs/cli.md"],
          ["Releases and support", "docs/releases.md"],
          ["Changelog", "CHANGELOG.md"],
        ],
      ],
      [
        "Serve a chain",
        [
          ["Chains", "docs/chains.md"],
          ["Nodes and providers", "docs/nodes.md"],
          ["Coverage", "docs/coverage.md"],
          ["Audit your node's answers", "docs/audit.md"],
        ],
      ],
      [
        "Watch and protect",
        [
          ["Limits", "docs/limits.md"],
          ["Price guard", "docs/price-guard.md"],
          ["Traces", "docs/traces.md"],
          ["Security policy", "SECURITY.md"],
        ],
      ],
      [
        "Grow",
        [
          ["Scaling", "docs/scaling.md"],
          ["PostgreSQL", "docs/database.md"],
        ],
      ],
    ],
  },
  {
    title: "Extend",
    about: "Add a venue, change the code, prove that it is right.",
    pages: [
      ["Add a fork", "docs/adding-a-fork.md"],
      ["Add a venue or a curve", "docs/adding-a-source.md"],
      ["Contribute", "CONTRIBUTING.md"],
      ["Code of conduct", "CODE_OF_CONDUCT.md"],
    ],
  },
  {
    title: "Understand",
    about: "How routes are found, why numbers are exact, what settles them.",
    pages: [
      ["Architecture", "docs/architecture.md"],
      ["Sources", "docs/sources.md"],
      [
        "Router",
        [
          ["Routing", "docs/routing.md"],
          ["Its bound", "docs/routing-bound.md"],
          ["Its figures", "docs/routing-figures.md"],
          ["Saved markets", "docs/snapshots.md"],
        ],
      ],
      [
        "Settlement",
        [
          ["Contracts", "docs/settlement.md"],
          ["Gas", "docs/gas.md"],
          ["Audit package", "docs/audit/README.md"],
          ["Threat model", "docs/audit/threat-model.md"],
          ["Known weaknesses", "docs/audit/weaknesses.md"],
        ],
      ],
      ["Glossary", "docs/glossary.md"],
    ],
  },
];

/** The front page, which the site's name leads to. */
export const FRONT_PAGE = "docs/index.md";

/** The API's description, which stands beside the pages. */
export const OPENAPI = "src/api/docs/openapi.json";

/** Entries that lead to a page or a section, in the menu's order. */
export function entriesOf({ pages }: Pick<Task, "pages">): readonly (readonly [text: string, page: string])[] {
  return pages.flatMap(([text, page]): readonly (readonly [string, string])[] =>
    typeof page === "string" ? [[text, page]] : entriesOf({ pages: page }),
  );
}

/** Entries that lead to a page, in the menu's order. */
export function pagesOf(task: Task): readonly (readonly [text: string, page: string])[] {
  return entriesOf(task).filter(([, page]) => !page.includes("#"));
}

/** Whether a file of the repository is on the site, or stands for a page there. */
export function isOnSite(path: string): boolean {
  return ["README.md", FRONT_PAGE, OPENAPI].includes(path) || TASKS.flatMap(pagesOf).some(([, page]) => page === path);
}

/** Path of a page on the site, by its path in the repository. */
export function sitePath(page: string): string {
  return page
    .replace(/^docs\/audit\/(README\.md)?/, (_, index) => `settlement-audit/${index === undefined ? "" : "index.md"}`)
    .replace(/^docs\//, "")
    .replace("/README.md", ".md")
    .replace(/^[A-Z_]+\.md$/, (name) => name.toLowerCase().replaceAll("_", "-"));
}

/** Address of a page on the site, from its root. */
export function siteLink(page: string): string {
  const [path = "", anchor] = page.split("#");
  if (path === "README.md") return "/";
  if (path === OPENAPI) return "/openapi.json";
  const address = `/${sitePath(path)}`.replace(/(index)?\.md$/, "");
  return anchor === undefined ? address : `${address}#${anchor}`;
}

/** The menu beside each page. */
export function sidebar(): { text: string; items: MenuItem[] }[] {
  return TASKS.map(({ title, pages }) => ({ text: title, items: pages.map(menuItem) }));
}

/** An entry of the menu, as VitePress takes it. */
interface MenuItem {
  text: string;
  link?: string;
  collapsed?: boolean;
  items?: MenuItem[];
}

function menuItem([text, page]: Entry): MenuItem {
  return typeof page === "string"
    ? { text, link: siteLink(page) }
    : { text, collapsed: false, items: page.map(menuItem) };
}
