import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { ApiReference } from "./api-reference.ts";
import { TaskCards } from "./task-cards.ts";
import "./style.css";

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => {
    app.component("ApiReference", ApiReference);
    app.component("TaskCards", TaskCards);
  },
} satisfies Theme;
