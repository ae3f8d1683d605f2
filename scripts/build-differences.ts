// `node scripts/build-differences.ts`: assembles src/store/vectors/differences.wat. The result is committed, so that the
// sources run without a build.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import openWabt from "wabt";

const source = new URL("../src/store/vectors/differences.wat", import.meta.url);
const target = new URL("../src/store/vectors/differences.wasm", import.meta.url);

export async function assembleDifferences(): Promise<Uint8Array> {
  const wabt = await openWabt();
  return wabt.parseWat("differences.wat", readFileSync(source, "utf8"), { simd: true }).toBinary({}).buffer;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(target, await assembleDifferences());
