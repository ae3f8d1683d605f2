import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openHookClient } from "../../src/host-plugin/hook-client.ts";
import type { Host } from "../../src/hosts/host.ts";
import { hosts } from "../../src/hosts/hosts.ts";
import { plugins } from "../../src/hosts/plugins.ts";
import type { QuestionView } from "../../src/protocol/ask.ts";
import { samplesOf } from "../fixtures/hosts/samples.ts";
import { someRows } from "../support/long.ts";
import { launcher, listQuestions } from "../support/person-elsewhere.ts";
import { waitFor } from "../support/processes.ts";
import { plugin, type Rookery, runProcess } from "../support/rookery.ts";
import { useOutside } from "../support/use-outside.ts";
import { useRookeriesWithoutRooms } from "../support/use-rookery.ts";

const folder = mkdtempSync(join(tmpdir(), "rk-attack-"));
const { started } = useRookeriesWithoutRooms(afterAll);
const person = useOutside();
let rookery: Rookery;
beforeAll(async () => {
  rookery = await started();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The hook commands of a host, as it would run them. */
function listHooks({ name, install }: Host): { event: string; command: string[] }[] {
  const files = (install.files?.(plugin) ?? [])
    .filter(({ path }) => path.endsWith(".json"))
    .map((file) => ("text" in file ? JSON.parse(file.text) : file));
  const manifest = name === "codex" ? "hosts/codex/hooks.json" : "hooks/hooks.json";
  const sources = install.plugin || files.length === 0 ? [readJson(join(plugin, manifest))] : files;
  const texts = new Set(findHooks(sources));
  return [...texts].flatMap((text) => {
    const [, event = ""] = /hook\.sh["']?,? ["']?([A-Za-z]+)/.exec(text) ?? [];
    return event === "" ? [] : [{ event, command: ["sh", "-c", text] }];
  });
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));

/** Every command that starts our hook; with `args`, as Claude Code joins them. */
function findHooks(value: unknown): string[] {
  if (typeof value === "string") return value.includes("hook.sh") ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  const { command, args } = value as { command?: string; args?: string[] };
  if (args && command?.includes("hook.sh")) return [[`"${command}"`, ...args].join(" ")];
  return Object.values(value).flatMap(findHooks);
}

/** The payload with text that creates a file when a shell evaluates it, in every field. */
function layBait(payload: unknown, sprung: string, n: number): unknown {
  const bait = `'"; $(touch ${sprung}/dollar) \`touch ${sprung}/backtick\`; touch ${sprung}/plain\n#${n}`;
  return JSON.parse(JSON.stringify(payload), (_key, value) => (typeof value === "string" ? bait : value));
}

describe("shell syntax in every field of every payload", () => {
  test.each(hosts.map((host) => [host.name, host] as const))("is only text: %s", async (name, host) => {
    const sprung = join(folder, name);
    mkdirSync(sprung);
    const env = { ...rookery.env, CLAUDE_PLUGIN_ROOT: plugin, PLUGIN_ROOT: plugin };
    const hooks = new Map(listHooks(host).map(({ event, command }) => [event, command]));
    const client = openHookClient({ host: name, environment: env, launcher: "/bin/true" });
    const before = countKept();
    let sent = 0;
    for (const { name: event, payload } of samplesOf(name).payloads) {
      const baited = layBait(payload, sprung, sent) as object;
      const command = hooks.get(event);
      if (command) {
        const [program = "", ...args] = command;
        const ran = await runProcess(program, args, JSON.stringify(baited), env);
        expect(ran).toMatchObject({ code: 0, stderr: "" });
      } else if (Object.hasOwn(plugins, name)) await client.report(event, baited);
      else continue;
      sent += 1;
    }
    expect(sent).toBeGreaterThan(7);
    await waitFor(() => countKept() - before === sent, {
      describe: () => `${sent} events of ${name}, not ${countKept() - before}`,
    });
    expect(readdirSync(sprung)).toEqual([]);
  });

  const countKept = (): number =>
    Number(rookery.query("SELECT count(*) AS count FROM events")[0]?.count) +
    readdirSync(rookery.home.rejected).length;
});

describe("a shell tool of an agent", () => {
  let question: string;
  beforeAll(async () => {
    const client = openHookClient({ host: "opencode", environment: rookery.env, launcher: "/bin/true" });
    const base = { sessionID: "ses_e1ed04b43ffeuCzZpFxX4wPEBq", directory: folder };
    await client.report("SessionStart", base);
    const args = { command: "rm -rf /", description: "clean" };
    client.ask("PermissionRequest", { ...base, tool: "bash", callID: "c1", args });
    const isOurs = ({ subject }: QuestionView): boolean => subject?.text === args.command;
    const asked = await waitFor(async () => (await listQuestions(rookery)).find(isOurs), {
      describe: "the question",
    });
    question = asked.id;
  });

  const acts = (): string[][] => [
    ["pair", "matrix"],
    ["answer", question, "--allow"],
    ["answer", question, "--deny", "no"],
  ];

  test.each(hosts.map((host) => [host.name, host.marks] as const))(
    "can neither pair nor answer: %s",
    async (name, { environment, processNames }) => {
      const program = join(folder, `${name}-bin`, processNames[0] ?? name);
      mkdirSync(join(folder, `${name}-bin`));
      copyFileSync("/bin/bash", program);
      const script = '"$@"; exit $?';
      const ways = [
        ...environment.map((variable) => ({ before: [], env: { ...rookery.env, [variable]: "1" } })),
        { before: [program, "-c", script, "host"], env: rookery.env },
      ];
      // The first way in full, one act for each other.
      const tries = ways.flatMap((way, n) =>
        (n === 0 ? acts() : acts().slice(1, 2)).map((act) => ({ ...way, act })),
      );
      for (const { before, env, act } of someRows(tries, 2)) {
        const ran = await person.run([...before, ...launcher, ...act], env);
        expect({ act, code: ran.code, stdout: ran.stdout }).toEqual({ act, code: 3, stdout: "" });
      }
      const asked = (await listQuestions(rookery)).find(({ id }) => id === question);
      expect(asked?.state).toBe("open");
      expect((await rookery.call("GET", "/api/pairings")).json).toMatchObject({ people: [], pending: [] });
    },
  );

  test("the person can", async () => {
    const ran = await person.run([...launcher, "answer", question, "--allow"], rookery.env);
    expect(ran).toMatchObject({ code: 0 });
  });
});
