import { afterAll, expect, test } from "vitest";
import { openLoopbackServer } from "../../../tests/support/loopback-server.ts";
import { makeApp } from "../../http/app.ts";
import type { AllHandlers } from "../../http/handlers.ts";
import { codeView } from "../../protocol/viewer.ts";
import { silentLog } from "../../shared/log.ts";
import { openOneTimeCodes } from "./one-time-codes.ts";
import { makeViewerHandlers, type ViewerHandlersDeps } from "./viewer-api.ts";

let now = 1_000_000;
const token = "the-token";
const port = (): number => 1;
const viewer = makeViewerHandlers({
  ...({} as ViewerHandlersDeps),
  clock: () => now,
  token,
  port,
  person: {
    isPerson: async () => false,
    consents: { issue: () => "" },
    caller: { mayDecide: async () => ({ may: false }), isAgent: async () => false },
  },
  codes: openOneTimeCodes(() => now),
});
const handlers = viewer as AllHandlers;
const viewerFiles = new URL("file:///nowhere/");
const server = await openLoopbackServer(
  makeApp({ log: silentLog, token, port, viewerFiles, handlers }, "socket"),
);
afterAll(() => server.close());
const redeem = async (code: string | undefined) => {
  const response = await fetch(`${server.url}/viewer/token`, {
    method: "POST",
    body: JSON.stringify({ code }),
  });
  return [response.status, await response.text()];
};
const issue = async (): Promise<string | undefined> => {
  const response = await fetch(`${server.url}/api/viewer/codes`, { method: "POST" });
  return codeView.parse(await response.json()).url.split("#code=")[1];
};

test.each([
  ["at once", 0, 200],
  ["in its last second", 59_000, 200],
  ["when its minute is over", 60_000, 403],
  ["an hour later", 3_600_000, 403],
])("a one-time code that is used %s", async (_when, later, status) => {
  const code = await issue();
  now += later;
  const [answered, text] = await redeem(code);
  expect(answered).toBe(status);
  if (status === 200) expect(text).toContain("the-token");
  else expect(text).toMatch(/^(?!.*the-token).*code_not_valid/);
  expect((await redeem(code))[0]).toBe(403);
});
