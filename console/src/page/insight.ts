import { byId } from "./dom.ts";

/** A part of the page that costs many prices: it asks for them only while it is open and on the screen. */
export interface Insight<Subject> {
  /** Sets the subject; undefined for none. */
  about(subject: Subject | undefined): void;
}

/** Pause before what failed is asked again, if somebody still looks. */
const AGAIN_MS = 3_000;

/** `id` of a `details` element. `clear` empties it, `fill` asks and draws, once for each subject. */
export function createInsight<Subject>(
  id: string,
  clear: () => void,
  fill: (subject: Subject) => Promise<void>,
): Insight<Subject> {
  const place = byId(id, HTMLDetailsElement);
  let subject: Subject | undefined;
  let filled: Subject | undefined;
  let isOnScreen = false;

  const look = () => {
    if (subject === undefined || subject === filled || !place.open || !isOnScreen) return;
    filled = subject;
    // The price itself reports the error; the service may be busy for a moment.
    fill(subject).catch(() => {
      setTimeout(() => {
        filled = undefined;
        look();
      }, AGAIN_MS);
    });
  };
  place.addEventListener("toggle", look);
  new IntersectionObserver((entries) => {
    isOnScreen = entries.at(-1)?.isIntersecting === true;
    look();
  }).observe(place);
  return {
    about(next) {
      subject = next;
      clear();
      look();
    },
  };
}
