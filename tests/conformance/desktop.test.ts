import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeDesktopChannel } from "../../src/channels/desktop/desktop.ts";
import { findNotifier, makeTitle } from "../../src/channels/desktop/notifier.ts";
import { openFakeDesktop } from "../support/desktop.ts";
import { type ChannelHarness, describeChannel, makePermission } from "./channel-contract.ts";

function openDesktop(): ChannelHarness & { calls(): string[][] } {
  const folder = mkdtempSync(join(tmpdir(), "rk-desktop-"));
  const desktop = openFakeDesktop(folder);
  const environment = { PATH: `${folder}:/usr/bin:/bin`, DISPLAY: ":0" };
  const open = () => makeDesktopChannel({ enabled: "auto", environment, platform: "linux" });
  return {
    channel: open(),
    reopen: open,
    calls: desktop.calls,
    messages: async () =>
      desktop.calls().map((args) => {
        const [title = "", body = ""] = args.slice(args.indexOf("--") + 1);
        const live = [...(body.match(/<[^>]*>/g) ?? []), ...(args.indexOf("--") === 2 ? [] : args)];
        return { text: unescape(`${title}\n${body}`), files: [], canAct: false, live };
      }),
    async fail(how) {
      if (how === "refused") desktop.remove();
      else desktop.fail(true);
    },
    async repair() {
      desktop.fail(false);
    },
    async close() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const unescape = (text: string): string =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

describeChannel("desktop", async () => openDesktop());

describe("desktop notifications", () => {
  test("text that looks like an option, a script or a variable stays text", async () => {
    const harness = openDesktop();
    const hostile = "--help $(touch pwned) `id` ; rm -rf / & \"quoted\" 'single' %s\\n";
    await harness.channel.post(makePermission(hostile), "k");
    const [args = []] = harness.calls();
    expect(args.slice(0, 4)).toEqual([
      "--app-name=Rookery",
      "--urgency=critical",
      "--",
      expect.stringMatching(/^Rookery: /),
    ]);
    expect(unescape(args[4] ?? "")).toContain(hostile);
    await harness.close();
  });

  test.each([
    ["linux", { PATH: "/nowhere", DISPLAY: ":0" }, "auto", "off"],
    ["linux", { PATH: "/usr/bin:/bin" }, "auto", "off"],
    ["linux", { PATH: "/usr/bin:/bin" }, "on", "misconfigured"],
    ["linux", { PATH: "/usr/bin:/bin", DISPLAY: ":0" }, "off", "off"],
    ["win32", {}, "auto", "ready"],
  ] as const)("on %s with %j, set to %s: %s", (platform, environment, enabled, expected) => {
    expect(makeDesktopChannel({ enabled, environment, platform }).health().state).toBe(expected);
  });

  test("on Windows the text is passed in variables, never in the script", () => {
    const notifier = findNotifier({}, "win32");
    const hostile = "'; Remove-Item C:\\ -Recurse #";
    expect(notifier?.args(hostile, hostile, false).join("\n")).not.toContain("Remove-Item");
    expect(notifier?.variables(makeTitle(hostile), hostile)).toEqual({
      ROOKERY_NOTICE_TITLE: `Rookery: ${hostile}`,
      ROOKERY_NOTICE_BODY: hostile,
    });
  });

  test("on macOS the text is passed as arguments after the script", () => {
    const folder = mkdtempSync(join(tmpdir(), "rk-osa-"));
    writeFileSync(join(folder, "osascript"), "", { mode: 0o755 });
    const args =
      findNotifier({ PATH: folder }, "darwin")?.args("Rookery: t", '" & (do shell script "id") & "', false) ??
      [];
    expect(args.slice(-2)).toEqual(["Rookery: t", '" & (do shell script "id") & "']);
    expect(args.slice(0, -2).join("\n")).not.toContain("do shell script");
    rmSync(folder, { recursive: true });
  });
});
