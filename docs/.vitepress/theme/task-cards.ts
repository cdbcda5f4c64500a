import { withBase } from "vitepress";
import { h } from "vue";
import { entriesOf, siteLink, TASKS } from "../pages.ts";

/** All entries of the menu, on a card for each task of a reader. */
export function TaskCards() {
  const cards = TASKS.map((task) => {
    const links = entriesOf(task).map(([text, page]) => h("li", h("a", { href: withBase(siteLink(page)) }, text)));
    return h("section", [h("h3", task.title), h("p", task.about), h("ul", links)]);
  });
  return h("div", { class: "task-cards" }, cards);
}
