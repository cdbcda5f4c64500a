import { existsSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import type { MarkdownRenderer } from "vitepress";

/** Pages on the site, and the repository beside it. */
interface Places {
  /** Folder of the repository. */
  readonly root: string;
  /** Address of its files, if there is one. */
  readonly repository: string | undefined;
  readonly isOnSite: (path: string) => boolean;
  /** Address of a page on the site, by its path in the repository. */
  readonly siteLink: (page: string) => string;
}

/** A page that is being rendered; a search index has no `realPath`. */
interface PageEnv {
  readonly path: string;
  readonly realPath?: string;
}

/**
 * Leads the pages' links, which are GitHub's, to where the site has their targets: pages to pages, other files to the
 * repository. Without an address of the repository these are text.
 */
export function repositoryLinks(md: MarkdownRenderer, { root, repository, isOnSite, siteLink }: Places): void {
  const addressOf = (page: string, href: string): string | undefined => {
    const [path = "", anchor] = href.split("#");
    const target = normalize(join(dirname(page), decodeURI(path)));
    if (isOnSite(target)) return siteLink(anchor === undefined ? target : `${target}#${anchor}`);
    if (!existsSync(join(root, target))) throw new Error(`${page}: there is no ${href}`);
    return repository === undefined ? undefined : `${repository}/${target}${anchor === undefined ? "" : `#${anchor}`}`;
  };
  md.core.ruler.push("repository-links", ({ tokens, env }) => {
    const { path, realPath = path } = env as PageEnv;
    const page = relative(root, realPath);
    for (const { children } of tokens) {
      let isText = false;
      for (const token of children ?? []) {
        const href = token.type === "link_open" ? token.attrGet("href") : null;
        if (href !== null && !/^([a-z]+:|#|\/)/.test(href)) {
          const address = addressOf(page, href);
          if (address !== undefined) token.attrSet("href", address);
          else {
            isText = true;
            token.attrs = null;
            token.type = "span_open";
            token.tag = "span";
          }
        } else if (token.type === "link_close" && isText) {
          isText = false;
          token.type = "span_close";
          token.tag = "span";
        }
      }
    }
  });
}
