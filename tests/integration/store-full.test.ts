import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { spawnDaemon } from "../support/daemon-process.ts";
import { isLong } from "../support/long.ts";
import { waitFor } from "../support/processes.ts";
import { makePayload, type Rookery } from "../support/rookery.ts";
import { idOf, spoolEvent } from "../support/spool-writer.ts";
import { useFakeClaudes } from "../support/fake-claude.ts";
import { placeTranscript, readRecorded, sessionIdOf } from "../support/transcripts.ts";
import { useRookeriesWithoutRooms } from "../support/use-rookery.ts";

const rookeries = useRookeriesWithoutRooms();
const claudes = useFakeClaudes();

const isPaused = async (rookery: Rookery): Promise<boolean> =>
  (await rookery.call("GET", "/api/status")).json.status === "paused";

/** Posts events until the disk is full. Returns the refusal. */
async function fill(rookery: Rookery) {
  const filler = "x".repeat(60_000);
  for (let n = 0; n < 2_000; n++) {
    const answer = await rookery.call(
      "POST",
      "/api/hooks/Notification",
      makePayload("Notification", { filler }),
    );
    if (answer.status !== 200) return answer;
  }
  throw new Error("2,000 events of 60 KB fit");
}

async function expectPausedEverywhere(rookery: Rookery): Promise<void> {
  const refused = await fill(rookery);
  expect(refused.status).toBe(503);
  expect(refused.json).toMatchObject({
    code: "store_full",
    hint: expect.stringContaining("resumes on its own"),
  });
  const status = await rookery.cli("status");
  expect(status.code).toBe(6);
  expect(status.stdout).toContain("PAUSED");
}

describe("a database that cannot grow", () => {
  test("pauses capture, keeps hooks quiet, and ingests the whole spool once it can", async () => {
    const rookery = rookeries.open();
    const daemon = await spawnDaemon(rookery, "ulimit -f 1500");
    await expectPausedEverywhere(rookery);

    const prompt = (n: number) =>
      makePayload("UserPromptSubmit", {
        prompt: "y".repeat(60_000),
        prompt_id: `p-${n}`,
        session_id: "late",
      });
    const told = await rookery.hook("UserPromptSubmit", prompt(1));
    expect(told).toMatchObject({ code: 0, stdout: expect.stringContaining("systemMessage"), stderr: "" });
    expect(await rookery.hook("UserPromptSubmit", prompt(2))).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(await rookery.hook("Stop", makePayload("Stop"))).toMatchObject({ code: 0, stderr: "" });
    expect(readdirSync(rookery.home.spool).length).toBeGreaterThanOrEqual(2);
    expect(daemon.exitCode).toBeNull();

    await rookery.stop();
    await rookery.start();
    await waitFor(() => readdirSync(rookery.home.spool).length === 0);
    expect(
      rookery.query("SELECT prompt_id AS id FROM prompts WHERE session_id = 'late' ORDER BY id"),
    ).toEqual([{ id: "p-1" }, { id: "p-2" }]);
    expect((await rookery.cli("status")).code).toBe(0);
  });
});

const canMount = process.platform === "linux" && process.getuid?.() === 0 && tryMount();

function tryMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "rk-mount-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder], { stdio: "ignore" });
    execFileSync("umount", [folder], { stdio: "ignore" });
    return true;
  } catch {
    return false; // A container that may not mount.
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Writes until nothing more fits, in smaller and smaller pieces. */
function fillDisk(file: string): void {
  for (let size = 1_048_576; size >= 512; )
    try {
      appendFileSync(file, Buffer.alloc(size));
    } catch {
      size /= 2;
    }
}

describe.runIf(canMount)("a full disk", () => {
  test.runIf(isLong)(
    "pauses capture, then resumes on its own, reports it once, and the daemon keeps running",
    async () => {
      const rookery = rookeries.open();
      const { root } = rookery.home;
      mkdirSync(root, { recursive: true });
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=12m,mode=700", "tmpfs", root]);
      try {
        await rookery.start();
        const pid = rookery.pid();
        const claude = claudes.open();
        await rookery.hook("SessionStart", makePayload("SessionStart", { session_id: "alive" }), {
          hostPid: claude.pid,
        });
        const ballast = join(root, "ballast");
        writeFileSync(ballast, Buffer.alloc(7_000_000));
        const waiting = [1, 2].map((n) =>
          spoolEvent(
            rookery.home,
            "Stop",
            makePayload("Stop", { prompt_id: `p-${n}`, filler: "z".repeat(50_000) }),
            "",
            Date.now() + 60_000,
          ),
        );
        await expectPausedEverywhere(rookery);
        await claude.kill9(); // The session watch will try to write that this session has ended.

        expect(await rookery.hook("Stop", makePayload("Stop"))).toEqual({ code: 0, stdout: "", stderr: "" });
        rmSync(ballast);
        await waitFor(async () => !(await isPaused(rookery)), {
          describe: "capture to resume",
        });
        await waitFor(() => readdirSync(rookery.home.spool).length === 0);
        const prompt = makePayload("UserPromptSubmit", { prompt: "hello again", prompt_id: "p-9" });
        const { stdout } = await rookery.hook("UserPromptSubmit", prompt);
        expect(JSON.parse(stdout).systemMessage).toContain("could not write for a while");
        expect((await rookery.hook("UserPromptSubmit", prompt)).stdout).toBe("");
        for (const name of waiting)
          expect(rookery.query("SELECT count(*) AS n FROM events WHERE id = ?", idOf(name))).toEqual([
            { n: 1 },
          ]);
        await waitFor(() => rookery.query("SELECT 1 FROM sessions WHERE end_reason = 'gone'").length === 1);
        expect(rookery.pid()).toBe(pid);
      } finally {
        await rookery.stop();
        await waitFor(() => !existsSync(rookery.home.daemonFile));
        execFileSync("umount", ["-l", root]);
      }
    },
  );

  test("is reported to the user once if hooks cannot write; their events come from the transcript", async () => {
    const rookery = rookeries.open();
    const { root } = rookery.home;
    mkdirSync(root, { recursive: true });
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=12m,mode=700", "tmpfs", root]);
    try {
      await rookery.start();
      const cwd = join(rookery.env.HOME ?? "", "orders-api");
      const recorded = readRecorded("tools", { mark: "8", cwd });
      const text = recorded.replaceAll(/"timestamp":"[^"]+"/g, `"timestamp":"${new Date().toISOString()}"`);
      const session_id = sessionIdOf(text);
      const transcript_path = placeTranscript(join(rookery.env.HOME ?? "", ".claude"), text, session_id);
      const prompt_id = /"promptId":"([^"]+)"/.exec(text)?.[1];
      const hook = (event: string, fields: object) =>
        rookery.hook(event, { session_id, cwd, transcript_path, hook_event_name: event, ...fields });
      await hook("SessionStart", { source: "startup" });
      const ballast = join(root, "ballast");
      fillDisk(ballast);

      const prompt = { prompt_id, prompt: `Fix it. ${"p".repeat(60_000)}` };
      const first = await hook("UserPromptSubmit", prompt);
      expect(first).toMatchObject({ code: 0, stderr: "" });
      expect(JSON.parse(first.stdout).systemMessage).toContain("is the disk full?");
      expect(await hook("UserPromptSubmit", prompt)).toEqual({ code: 0, stdout: "", stderr: "" });
      const status = await rookery.cli("status");
      expect(status).toMatchObject({ code: 6, stdout: expect.stringContaining("PAUSED: no space") });
      expect(status.stdout.replace(/\s+/g, " ")).toContain("2 events not written by their hooks");
      await waitFor(() => readFileSync(rookery.home.statusLine, "utf8").includes("disk full"));

      rmSync(ballast);
      await waitFor(async () => !(await isPaused(rookery)), { timeoutMs: 20_000 });
      await waitFor(() => readFileSync(rookery.home.statusLine, "utf8").includes("notes"));
      await hook("Stop", { prompt_id, last_assistant_message: "Done." });
      await waitFor(() => rookery.query("SELECT prompt_id AS id FROM prompts").length === 1, {
        timeoutMs: 20_000,
      });
      expect(rookery.query("SELECT prompt_id AS id FROM prompts")).toEqual([{ id: prompt_id }]);
    } finally {
      await rookery.stop();
      await waitFor(() => !existsSync(rookery.home.daemonFile));
      execFileSync("umount", ["-l", root]);
    }
  });

  test("is named by a start that fails for it", async () => {
    const rookery = rookeries.open();
    const { root } = rookery.home;
    mkdirSync(root, { recursive: true });
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m,mode=700", "tmpfs", root]);
    try {
      const fillUp = (): void => {
        try {
          writeFileSync(join(root, "ballast"), Buffer.alloc(2_000_000));
        } catch {
          // Full, as intended.
        }
      };
      fillUp();
      for (const attempt of ["a new home", "a home with folders"]) {
        const ran = await rookery.cli("start");
        expect(ran, attempt).toMatchObject({ code: 6, stdout: "" });
        expect(ran.stderr).toMatch(/no space left|disk is full/i);
        expect(ran.stderr).not.toMatch(/ {4}at |home_not_private|belongs to you/);
        rmSync(join(root, "ballast"));
        for (const folder of ["run", "spool", "rejected", "reply", "logs"])
          mkdirSync(join(root, folder), { recursive: true });
        fillUp();
      }
    } finally {
      execFileSync("umount", ["-l", root]);
    }
  });
});
