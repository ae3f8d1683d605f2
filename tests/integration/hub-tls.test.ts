import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type HubMachine, hubSettings, invite, joinMachine, waitForNote } from "../support/hub-stage.ts";
import { findPostgres, openPostgres, type Postgres } from "../support/postgres.ts";
import type { Answer } from "../support/exchange.ts";
import type { Rookery } from "../support/rookery.ts";
import { useOutside } from "../support/use-outside.ts";
import { useRookeries } from "../support/use-rookery.ts";

const nobody = 65_534;

/** A database that is reached with TLS, as one on another machine is. */
describe.skipIf(findPostgres() === undefined)("a hub with TLS", () => {
  const rookeries = useRookeries(afterAll, hubSettings);
  const person = useOutside();
  const folder = mkdtempSync(join(tmpdir(), "rk-tls-"));
  const file = (name: string): string => join(folder, name);
  const openssl = (...args: string[]): Buffer =>
    execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
  let postgres: Postgres;
  let admin: Rookery;
  let url: string;

  function makeAuthority(name: string): void {
    openssl(
      ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", `/CN=${name}`],
      ...[...["-keyout", `${name}.key`, "-out", `${name}.pem`]],
    );
  }

  /** Of the same key for every name. */
  function makeCertificate(name: string, subject: string): void {
    writeFileSync(file("extensions"), `subjectAltName=${subject}`);
    openssl("req", "-new", "-key", "server.key", "-subj", `/CN=${name}`, "-out", `${name}.csr`);
    openssl(
      ...["x509", "-req", "-in", `${name}.csr`, "-CA", "authority.pem", "-CAkey", "authority.key"],
      ...["-days", "2", "-extfile", "extensions", "-out", `${name}.pem`],
    );
  }

  beforeAll(async () => {
    for (const name of ["authority", "stranger"]) makeAuthority(name);
    openssl("genrsa", "-out", "server.key", "2048");
    makeCertificate("here", "IP:127.0.0.1");
    makeCertificate("elsewhere", "DNS:db.example.org,IP:192.0.2.1");
    chmodSync(folder, 0o755);
    chmodSync(file("server.key"), 0o600);
    if (process.getuid?.() === 0) chownSync(file("server.key"), nobody, nobody);
    postgres = await openPostgres(undefined, [
      ...["ssl=on", `ssl_cert_file=${file("here.pem")}`, `ssl_key_file=${file("server.key")}`],
    ]);
    admin = await rookeries.started();
    url = postgres.adminUrl().replace("?sslmode=disable", "");
  });
  afterAll(async () => {
    await postgres?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const create = (ca?: string): Promise<Answer> =>
    person.call(admin, "POST", "/api/hub/create", {
      url,
      ...(ca === undefined ? {} : { ca: readFileSync(file(`${ca}.pem`), "utf8") }),
    });

  test("is not created through a certificate that cannot be verified", async () => {
    for (const ca of [undefined, "stranger"])
      expect((await create(ca)).json).toMatchObject({
        code: "hub_unreachable",
        message: expect.stringMatching(/certificate/i),
      });
    const tables = await postgres.query("SELECT 1 FROM pg_namespace WHERE nspname = 'rookery'", "hub");
    expect(tables).toEqual([]);
  });

  test("carries notes between machines that verify it with the authority of its invitation", async () => {
    expect((await create("authority")).status).toBe(200);
    const machines: HubMachine[] = [];
    for (const member of ["ada", "bob"]) {
      const code = await invite(person, admin, member);
      const machine = await joinMachine(person, await rookeries.started(), { code, member });
      await machine.post("/api/hub/share", { project: machine.cwd });
      machines.push(machine);
    }
    const [ada, bob] = machines as [HubMachine, HubMachine];
    await ada.startContext();
    const { id } = await ada.save("The archive is encrypted with age.");
    expect((await ada.resync()).status).toBe(200);
    const plain = await postgres.query(
      `SELECT 1 FROM pg_stat_ssl s JOIN pg_stat_activity a USING (pid) WHERE a.usename LIKE 'rookery%' AND NOT s.ssl`,
    );
    const encrypted = await postgres.query(
      `SELECT 1 FROM pg_stat_ssl s JOIN pg_stat_activity a USING (pid) WHERE a.usename LIKE 'rookery%' AND s.ssl`,
    );
    expect([plain.length, encrypted.length > 0]).toEqual([0, true]);
    await bob.resync();
    await waitForNote(bob, id);
  });

  test("is not used once its certificate is one of another host", async () => {
    const bob = await joinMachine(person, await rookeries.started(), {
      code: await invite(person, admin, "cem"),
      member: "cem",
    });
    await bob.post("/api/hub/share", { project: bob.cwd });
    await postgres.kill9();
    await postgres.start([`ssl_cert_file=${file("elsewhere.pem")}`]);
    const { status, json } = await bob.resync();
    expect(status).toBe(503);
    expect(json.message).toMatch(/altnames|certificate/i);
  });
});
