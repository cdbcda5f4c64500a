/** Shortens a caller's text so that an answer stays an answer. */
export function shown(text: string): string {
  return JSON.stringify(shortened(text));
}

export function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80).toWellFormed()}…` : text;
}
