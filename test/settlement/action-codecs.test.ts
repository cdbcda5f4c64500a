import { CODECS } from "../../src/venues/index.ts";
import { describeActionCodec, tradedFills } from "./action-codec.suite.ts";

const fills = tradedFills();
for (const codec of CODECS) describeActionCodec(codec, fills);
