import program from "../../package.json" with { type: "json" };

/** The version of this program, as its package.json has it. */
export const VERSION: string = program.version;
