import { keepAllLogs } from "./test-logs.ts";

const major = Number(process.versions.node.split(".")[0]);
if (major < 24) {
  throw new Error(
    `Tributary's tests need Node 24, this is ${process.version}: run them with \`npm test\`, which brings Node 24 along`,
  );
}

keepAllLogs();
