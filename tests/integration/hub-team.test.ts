import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hubSettings } from "../support/hub-stage.ts";
import { launcher } from "../support/person-elsewhere.ts";
import { findPostgres, openPostgres, type Postgres } from "../support/postgres.ts";
import { waitFor } from "../support/processes.ts";
import { makePayload, repository, type Rookery } from "../support/rookery.ts";
import { useOutside } from "../support/use-outside.ts";
import { useRookeries } from "../support/use-rookery.ts";

const guide = readFileSync(join(repository, "docs", "team.md"), "utf8");
/** The commands of the guide, in its order, with its placeholders. */
const readCommands = (language: string): string[] =>
  [...guide.matchAll(new RegExp(`^ *\`\`\`${language}\n([^]*?)\n *\`\`\``, "gm"))].map(([, code = ""]) =>
    code.trim(),
  );
const password = "a password: 100% of it?";
const texts = {
  ada: "We deploy the api only from signed tags.",
  bob: "The staging cluster runs on three small nodes.",
};
const [fiveMinutesMs, shallow] = [300_000, 2];

/** The commands that docs/team.md names, typed by people in terminals. */
describe.skipIf(findPostgres() === undefined)("the guide for teams", () => {
  const rookeries = useRookeries(afterAll, hubSettings);
  const person = useOutside();
  let postgres: Postgres;
  let laptop: Rookery;
  let desk: Rookery;

  beforeAll(async () => {
    postgres = await openPostgres();
    [laptop, desk] = [rookeries.open(), rookeries.open()];
    for (const rookery of [laptop, desk]) {
      const cwd = checkoutOf(rookery);
      mkdirSync(cwd);
      execFileSync("git", ["init", "-q", cwd]);
      execFileSync("git", ["-C", cwd, "remote", "add", "origin", "git@git.example.org:acme/api.git"]);
    }
  });
  afterAll(() => postgres?.close());

  const checkoutOf = ({ folder }: Rookery): string => join(folder, "api");

  /** Runs `rookery …` in the checkout of a machine, in a terminal, and types the input. */
  async function type(rookery: Rookery, command: string, input = ""): Promise<string> {
    const typed = command.replace(/^rookery/, launcher.map((part) => `'${part}'`).join(" "));
    const line = `cd '${checkoutOf(rookery)}' && ${typed}`;
    const env = { ...rookery.env, PGPASSWORD: password };
    const { code, stdout, stderr } = await person.run(["script", "-qec", line, "/dev/null"], env, input);
    if (code !== 0) throw new Error(`${command}: ${code} ${stdout}${stderr}`);
    return stdout.replaceAll("\r", "");
  }

  async function joinHub(rookery: Rookery, invitation: string, join: string): Promise<void> {
    const [, code] = /rookery hub join (rk1\.\S+)/.exec(invitation) ?? [];
    expect(await type(rookery, join.replace("CODE", code ?? ""))).toContain("Nothing is shared yet");
  }

  let sessions = 0;
  /** The context of a new session in the checkout. */
  async function startContext(rookery: Rookery): Promise<string> {
    const fields = { session_id: `s-${++sessions}`, cwd: checkoutOf(rookery), source: "startup" };
    return (await rookery.hook("SessionStart", makePayload("SessionStart", fields))).stdout;
  }

  const titles = (rookery: Rookery): string[] =>
    rookery.query("SELECT title FROM observations ORDER BY id").map(({ title }) => title);

  test("leads from an empty database to two machines that share in five minutes", async ({ annotate }) => {
    const [sql = ""] = readCommands("sql");
    const [create = "", invite = "", joining = "", share = ""] = readCommands("sh");
    const from = performance.now();
    for (const statement of sql
      .replace("'…'", `'${password}'`)
      .split(";")
      .filter((part) => part.trim()))
      await postgres.query(statement);
    const address = `postgres://rookery_admin@127.0.0.1:${postgres.port}/rookery?sslmode=disable`;
    expect(await type(laptop, create.replace(/postgres:\S+/, `'${address}'`))).toContain("The hub is ready");
    for (const [rookery, name] of [
      [laptop, "ada"],
      [desk, "bob"],
    ] as const) {
      await joinHub(rookery, await type(laptop, invite.replace("ada", name)), `${joining} --name ${name}-pc`);
      await type(rookery, `rookery save "${texts[name]}" --type decision`);
      expect(await type(rookery, share, "y\n")).toContain("api is shared.");
    }
    for (const rookery of [laptop, desk]) await startContext(rookery);
    await waitFor(() => titles(laptop).length === 2 && titles(desk).length === 2, {
      describe: "both to have both notes",
    });
    expect(await startContext(desk)).toMatch(/signed tags from=\\"ada\\"/);
    const tookMs = performance.now() - from;
    expect(tookMs).toBeLessThan(fiveMinutesMs);
    await annotate(
      `from the empty database to two machines with both notes: ${Math.round(tookMs / 100) / 10} s`,
    );
    expect(await type(desk, "rookery hub status")).toMatch(
      /bob \(bob-pc\).*\napi: sent 1, waiting 0, from others 1/,
    );
  });

  test("lets a CI machine read the newest notes of one project until its access expires, and share none", async () => {
    await type(laptop, 'rookery save "The nightly job needs 8 GB of memory." --type decision');
    await laptop.call("POST", "/api/hub/resync");
    const [, inviting = "", joining = ""] =
      /`(rookery hub invite ci [^`]*)`, then `(rookery hub join [^`]*)`/.exec(guide) ?? [];
    const ci = rookeries.open();
    execFileSync("git", ["clone", "-q", checkoutOf(laptop), checkoutOf(ci)], { stdio: "ignore" });
    const origin = ["remote", "set-url", "origin", "https://git.example.org/acme/api"];
    execFileSync("git", ["-C", checkoutOf(ci), ...origin]);
    await joinHub(ci, await type(laptop, inviting), joining.replace("2000", String(shallow)));
    await type(ci, 'rookery save "This build is number 17." --type gotcha');
    await type(ci, "rookery share", "y\n");
    const own = "This build is number 17";
    await waitFor(() => titles(ci).length === shallow + 1, { describe: "the newest notes" });
    expect(titles(ci).join()).toMatch(/staging cluster.*nightly job/);
    await ci.call("POST", "/api/hub/resync");
    const rows = await postgres.query(
      "SELECT 1 FROM rookery.records r JOIN rookery.members m ON m.id = r.member_id WHERE m.name = 'ci'",
      "rookery",
    );
    expect(rows).toEqual([]);

    await postgres.query(
      "UPDATE rookery.devices SET expires_at = now() - interval '1 minute' WHERE kind = 'machine'",
      "rookery",
    );
    const logins = await postgres.query(
      "SELECT rolvaliduntil::text AS until FROM pg_roles r JOIN rookery.devices d ON d.role_name = r.rolname WHERE d.kind = 'machine'",
      "rookery",
    );
    // It must be able to learn that its access has expired.
    expect(logins).toEqual([{ until: "infinity" }]);
    await ci.call("POST", "/api/hub/resync");
    await waitFor(() => titles(ci).length === 1, { describe: "the notes of others to go" });
    expect(titles(ci)[0]).toContain(own);
    expect((await ci.call("GET", "/api/hub")).json.state).toBe("revoked");
  });

  test("gives notes of a machine account to sessions only with hub.injectMachines, and finds them always", async () => {
    const bot = rookeries.open();
    execFileSync("git", ["clone", "-q", checkoutOf(laptop), checkoutOf(bot)], { stdio: "ignore" });
    const origin = ["remote", "set-url", "origin", "https://git.example.org/acme/api"];
    execFileSync("git", ["-C", checkoutOf(bot), ...origin]);
    await joinHub(bot, await type(laptop, "rookery hub invite bot --machine"), "rookery hub join CODE");
    await type(bot, 'rookery save "Flaky: the test of the invoice archive." --type gotcha');
    await type(bot, "rookery share", "y\n");
    await desk.call("POST", "/api/hub/resync");
    const has = (rookery: Rookery): boolean =>
      titles(rookery).some((title) => title.includes("invoice archive"));
    await waitFor(() => has(desk), { describe: "the note of the machine" });
    const found = await desk.call("GET", "/api/search?q=invoice%20archive");
    expect(found.json.results[0]).toMatchObject({ author: "bot", kind: "note" });
    const before = await startContext(desk);
    expect(before).toContain("staging cluster");
    expect(before).not.toContain("invoice archive");
    await type(desk, "rookery config hub.injectMachines true");
    await waitFor(async () => (await startContext(desk)).includes("invoice archive"), {
      describe: "the note",
    });
  });

  test("has a command for everything that a member and an administrator do later", async () => {
    expect(await type(laptop, "rookery hub members")).toMatch(
      /ada +ada-pc +joined[^]*bot +\S+ +joined[^]*ci +\S+ +expired/,
    );
    expect(await type(laptop, "rookery hub upgrade")).toContain("The hub has schema 5.");
    expect(await type(desk, "rookery hub resync")).toContain("waiting 0");
    expect(await type(laptop, "rookery forget --query 'nightly job' --yes")).toMatch(
      /on the hub; \d of \d machines/,
    );
    expect(await type(laptop, "rookery hub scrub")).toContain("gone from the table");
    expect(await type(desk, "rookery unshare --recall")).toContain("1 note of yours recalled");
    expect(await type(desk, "rookery share", "y\n")).toContain("api is shared.");
    expect(await type(laptop, "rookery hub revoke bob@bob-pc")).toContain("1 machine revoked.");
    // A poll may have learned it already.
    await desk.call("POST", "/api/hub/resync");
    expect(await type(desk, "rookery hub status")).toContain("revoked by the hub");
    expect(await type(desk, "rookery hub leave")).toContain("You left the hub.");
    expect(await type(desk, "rookery hub status")).toContain("No hub.");
    expect(titles(desk)).toEqual([expect.stringContaining("staging cluster")]);
  });
});
