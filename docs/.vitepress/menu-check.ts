import { anchorsOf } from "../../tools/docs/prose.ts";
import { entriesOf, FRONT_PAGE, pagesOf, TASKS } from "./pages.ts";

/** Complaints about a menu that does not have each of the pages once, or leads to what is not there. */
export function complaintsAboutMenu(pages: readonly string[], read: (page: string) => string): readonly string[] {
  const listed = TASKS.flatMap(pagesOf).map(([, page]) => page);
  const sections = TASKS.flatMap(entriesOf)
    .map(([, entry]) => entry.split("#") as [page: string, anchor?: string])
    .filter(([page, anchor]) => anchor !== undefined && !(pages.includes(page) && anchorsOf(read(page)).has(anchor)));
  return [
    ...pages
      .filter((page) => page !== FRONT_PAGE && !listed.includes(page))
      .map((page) => `${page} is not in the menu`),
    ...listed.filter((page, at) => listed.indexOf(page) !== at).map((page) => `${page} is in the menu twice`),
    ...listed.filter((page) => !pages.includes(page)).map((page) => `the menu leads to ${page}, which is not there`),
    ...sections.map(([page, anchor]) => `the menu leads to ${page}#${anchor}, which is not there`),
  ].map((complaint) => `docs/.vitepress/pages.ts: ${complaint}`);
}
