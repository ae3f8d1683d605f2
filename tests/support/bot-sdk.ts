import { createRequire } from "node:module";
import { join } from "node:path";
import { repository } from "./rookery.ts";

const require = createRequire(join(repository, "tests", "tools", "package.json"));

/** matrix-bot-sdk, the library of most bots. Its native encryption is downloaded at install time, so it is stubbed. */
export function loadBotSdk(): any {
  stubNative("@matrix-org/matrix-sdk-crypto-nodejs");
  const sdk = require("matrix-bot-sdk");
  sdk.LogService.setLevel(sdk.LogLevel.ERROR);
  return sdk;
}

/** Every export is a stub class or enumeration that is never used. */
function stubNative(name: string): void {
  const path = require.resolve(name);
  const anything: any = new Proxy(function stub() {}, {
    get: (target, key) => (key in target ? (target as any)[key] : anything),
  });
  require.cache[path] = {
    id: path,
    filename: path,
    loaded: true,
    exports: anything,
  } as unknown as NodeModule;
}
