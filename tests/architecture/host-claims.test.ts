import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { drawHostTable } from "../../scripts/host-table.ts";
import type { HostClaims } from "../../src/hosts/host.ts";
import { hosts } from "../../src/hosts/hosts.ts";
import { proofs } from "./host-claims.ts";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

test("docs/hosts.md shows the claims of the hosts", () => {
  const page = read("../../docs/hosts.md");
  expect(drawHostTable(page)).toBe(page);
  for (const { marks } of hosts) expect(page).toContain(`| ${marks.label} |`);
});

test.each(hosts.map((host) => [host.name, host] as const))("every claim of %s has a test", (name, host) => {
  const claims = Object.entries(host.claims) as [keyof HostClaims, HostClaims[keyof HostClaims]][];
  const named = Object.keys(proofs[name] ?? {});
  expect(named).toEqual(
    expect.arrayContaining(claims.filter(([, { works }]) => works === "yes").map(([claim]) => claim)),
  );
  for (const [claim, { works }] of claims) if (works === "no") expect(named).not.toContain(claim);
  for (const [file, title] of Object.values(proofs[name] ?? {}))
    expect(read(`../e2e/${file}.test.ts`), file).toContain(title);
});

test.each(hosts.map((host) => [host.name, host] as const))(
  "the claims of %s agree with its code",
  (_, host) => {
    const { claims, requests, transcripts, replies, dialogs } = host;
    const permissions = { beside: "yes", event: "yes", before: "partly", none: "no" } as const;
    expect(claims.permissions.works).toBe(dialogs ? "yes" : permissions[requests.dialog]);
    expect(claims.questions.works === "yes").toBe(requests.answersQuestions || dialogs !== undefined);
    expect(claims.context.works === "yes").toBe(replies.contextLimit("prompt") > 0);
    if (transcripts.lacksPromptIds === "all") expect(claims.reconciliation.works).not.toBe("yes");
    if (host.wake) expect(claims.waking.works).toBe("yes");
  },
);
