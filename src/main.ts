import { run } from "./cli/run.ts";

const code = await run(["serve"], {
  environment: process.env,
  print: (text) => console.log(text),
  note: (text) => console.error(text),
});
process.exit(code);
