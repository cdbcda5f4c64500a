/** Faults that change nothing that anybody could see, each with its reason: by file and name. */
export const EQUIVALENT: Readonly<Record<string, string>> = {};
