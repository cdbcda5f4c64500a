/** Control characters but for tabs and the ends of lines, CSV's among them: a terminal would do what they say. */
const CONTROLS = /\r(?!\n)|[^\P{Cc}\r\n\t]/gu;

/** Text as it is printed. What tokens, services and files call themselves is anybody's, and moves no cursor. */
export function shown(text: string): string {
  return text.replace(CONTROLS, "\ufffd");
}
