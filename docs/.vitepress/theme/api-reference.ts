import { useData } from "vitepress";
import { defineComponent, h, onMounted, ref, useTemplateRef, watch } from "vue";
import viewerUrl from "../../../console/dist/viewer.js?url";
import { referenceOptions } from "../../../console/src/reference-theme.ts";
import specUrl from "../../../src/api/docs/openapi.json?url";

/** Global that the viewer's script (Redoc, as the service serves it) defines. */
interface Viewer {
  init(spec: unknown, options: Readonly<Record<string, unknown>>, place: HTMLElement): void;
}

async function loadViewer(): Promise<Viewer> {
  const place = globalThis as unknown as { readonly Redoc?: Viewer };
  if (place.Redoc === undefined) {
    const script = document.createElement("script");
    script.src = viewerUrl;
    document.head.append(script);
    await new Promise((resolve, reject) => {
      script.onload = resolve;
      script.onerror = reject;
    });
  }
  if (place.Redoc === undefined) throw new Error("the viewer's script defines no viewer");
  return place.Redoc;
}

/** The API's reference, in the site's colours. Without scripts its page has a link to the description. */
export const ApiReference = defineComponent(() => {
  const { isDark } = useData();
  const place = useTemplateRef<HTMLElement>("place");
  const state = ref("The reference is loading.");
  onMounted(async () => {
    try {
      const [viewer, answer] = await Promise.all([loadViewer(), fetch(specUrl)]);
      const spec: unknown = await answer.json();
      state.value = "";
      watch(
        isDark,
        (dark) => {
          const fresh = document.createElement("div");
          place.value?.replaceChildren(fresh);
          viewer.init(spec, { ...referenceOptions(dark), scrollYOffset: ".VPNavBar" }, fresh);
        },
        { immediate: true },
      );
    } catch {
      state.value = "The reference could not be loaded. Load the page again.";
    }
  });
  return () => [
    h("p", { hidden: state.value === "" }, state.value),
    h("div", { ref: "place", class: "api-reference vp-raw" }),
  ];
});
