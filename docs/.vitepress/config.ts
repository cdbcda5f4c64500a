import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Plugin } from "vite";
import { defineConfig, type HeadConfig } from "vitepress";
import { slugOf } from "../../tools/docs/prose.ts";
import { repositoryLinks } from "./links.ts";
import { complaintsAboutMenu } from "./menu-check.ts";
import { FRONT_PAGE, isOnSite, sidebar, siteLink, sitePath } from "./pages.ts";
import { summaryOf, writeTexts } from "./texts.ts";

const root = resolve(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const { version, description } = JSON.parse(read("package.json")) as {
  readonly version: string;
  readonly description: string;
};
/** Address that the site is published at, with all its versions; a build without one is for this machine. */
const site = process.env.SITE_URL?.replace(/\/*$/, "/");
/** Folder of this version below it; none is the newest. */
const folder = process.env.SITE_FOLDER === undefined ? "" : `${process.env.SITE_FOLDER}/`;
const base = `${site === undefined ? "/" : new URL(site).pathname}${folder}`;

/** Where the files of this version are shown; a build outside of a workflow has no such place. */
const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env;
const repository =
  GITHUB_REPOSITORY === undefined
    ? undefined
    : `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/blob/${git("rev-parse", "HEAD")}`;

function git(...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
}

/** Tags that have a site, the newest first: `.ci/build-site` publishes each in the folder of its name. */
function publishedTags(): readonly string[] {
  return git("tag", "--list", "v*", "--sort=-v:refname")
    .split("\n")
    .filter((tag) => tag !== "" && git("ls-tree", "--name-only", tag, "docs/.vitepress/config.ts") !== "");
}

/** Whether these pages are a version's as its tag has it. Only a published site looks: a build for this machine needs no git. */
const isTagged = site === undefined || git("tag", "--points-at", "HEAD").split("\n").includes(`v${version}`);
const otherVersions =
  site === undefined
    ? []
    : publishedTags()
        .filter((tag) => !(isTagged && tag === `v${version}`))
        .map((tag) => ({ text: tag, link: `${site}${tag}/`, target: "_self", noIcon: true }));

/**
 * The file that a first visit of a page asks for. VitePress makes it out of the page's own, without the text that is there
 * already, in a way that Vite 8 does not take; the page's own does as well.
 */
const leanChunks: Plugin = {
  name: "lean-chunks",
  generateBundle(_options, bundle) {
    for (const { type, fileName, ...chunk } of Object.values(bundle)) {
      if (type !== "chunk" || !/\.md\.[\w-]+\.js$/.test(fileName) || !("code" in chunk)) continue;
      this.emitFile({ type: "asset", fileName: fileName.replace(/js$/, "lean.js"), source: chunk.code });
    }
  },
};

export default defineConfig({
  title: "Tributary",
  description,
  lang: "en",
  base,
  srcDir: "..",
  outDir: "../dist/site",
  srcExclude: ["!(docs|examples)/**/*.md", "examples/*/**/*.md", "README.md"],
  rewrites: sitePath,
  cleanUrls: true,
  head: [
    ["link", { rel: "icon", href: `${base}icon.svg` }],
    // Search engines lead to the newest version, which is at the root.
    ...(folder === "" ? [] : [["meta", { name: "robots", content: "noindex" }] satisfies HeadConfig]),
    // Nothing comes from elsewhere, and the browser holds the site to it.
    [
      "meta",
      {
        "http-equiv": "Content-Security-Policy",
        content:
          "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:",
      },
    ],
  ],
  ...(site === undefined || folder !== "" ? {} : { sitemap: { hostname: site } }),
  markdown: {
    // Anchors are GitHub's, which `npm run check -- prose` holds links against.
    anchor: { slugify: slugOf },
    config: (md) => repositoryLinks(md, { root, repository, isOnSite, siteLink }),
  },
  themeConfig: {
    nav: [
      { text: "Quickstart", link: siteLink("docs/quickstart.md") },
      { text: "API reference", link: siteLink("docs/reference.md") },
      {
        text: isTagged ? `v${version}` : `after v${version}`,
        items: [
          { text: "Changelog", link: siteLink("CHANGELOG.md") },
          { text: "Releases and support", link: siteLink("docs/releases.md") },
          ...otherVersions,
        ],
      },
    ],
    sidebar: sidebar(),
    outline: [2, 3],
    search: { provider: "local" },
    ...(repository === undefined
      ? {}
      : { socialLinks: [{ icon: "github", link: `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}` }] }),
    footer: { message: "Apache-2.0" },
  },
  vite: {
    publicDir: join(import.meta.dirname, "public"),
    plugins: [leanChunks],
    build: {
      rolldownOptions: {
        checks: { pluginTimings: false },
        // One for each page, of what leanChunks makes good.
        onLog: (level, log, handle) => {
          if (log.pluginCode !== "UNSUPPORTED_BUNDLE_ASSIGNMENT") handle(level, log);
        },
      },
    },
  },
  transformPageData: ({ filePath }) =>
    filePath === FRONT_PAGE ? undefined : { description: summaryOf(read(filePath)) },
  buildEnd: ({ pages, outDir }) => {
    const complaints = complaintsAboutMenu(pages, read);
    if (complaints.length > 0) throw new Error(complaints.join("\n"));
    writeTexts({ root, outDir, base: `${site ?? "/"}${folder}`, title: "Tributary", about: description });
  },
});
