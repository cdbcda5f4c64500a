#!/usr/bin/env node
import { run } from "./run.ts";

const code = await run(process.argv.slice(2), {
  environment: process.env,
  print: (text) => console.log(text),
  note: (text) => console.error(text),
});
process.exit(code);
