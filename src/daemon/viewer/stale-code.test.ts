import { Hono } from "hono";
import { expect, test } from "vitest";
import { answerError } from "../../http/errors.ts";
import { viewerFiles } from "../../http/viewer-files.ts";
import type { ViewerBackend } from "../../http/viewer-backend.ts";
import { silentLog } from "../../shared/log.ts";
import { makeViewerApi, type ViewerApiDeps } from "./viewer-api.ts";

let now = 1_000_000;
const viewer: ViewerBackend = makeViewerApi({
  ...({} as ViewerApiDeps),
  ...{ clock: () => now, token: "the-token", port: () => 1, files: new URL("file:///nowhere/") },
});
const app = new Hono()
  .route("/", viewerFiles(viewer))
  .onError((error, c) => answerError(c, error, silentLog));
const redeem = async (code: string | undefined) => {
  const response = await app.request("/viewer/token", { method: "POST", body: JSON.stringify({ code }) });
  return [response.status, await response.text()];
};
const issue = (): string | undefined => viewer.issueCode().url.split("#code=")[1];

test.each([
  ["at once", 0, 200],
  ["in its last second", 59_000, 200],
  ["when its minute is over", 60_000, 403],
  ["an hour later", 3_600_000, 403],
])("a one-time code that is used %s", async (_when, later, status) => {
  const code = issue();
  now += later;
  const [answered, text] = await redeem(code);
  expect(answered).toBe(status);
  if (status === 200) expect(text).toContain("the-token");
  else expect(text).toMatch(/^(?!.*the-token).*code_not_valid/);
  expect((await redeem(code))[0]).toBe(403);
});
