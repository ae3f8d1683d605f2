import { expect, test } from "vitest";
import { makeAgreementNote } from "./agreement.ts";

const menu = `The exporter in \`src/export.ts\` writes the whole file at once and needs 2 GB for large accounts.

**How should large exports be delivered?**

1. **Stream to the browser** - no file on disk, but no resume either
2. **Write to object storage** - a link by mail, expires after a day
3. **Split into parts** - several smaller files
4. **Both 1 and 2** - by size`;

const decide = (prompt: string, reply = "") =>
  makeAgreementNote({ prompt, previousFinal: menu, reply, promptEventId: "p" });

test.each([
  [
    "2",
    "How should large exports be delivered? → Write to object storage - a link by mail, expires after a day",
  ],
  [
    "2, but keep the link for a week",
    "How should large exports be delivered? → Write to object storage - a link by mail, expires after a day",
  ],
  [
    "let's go with 3. the accountants split them anyway",
    "How should large exports be delivered? → Split into parts - several smaller files",
  ],
  [
    "ok can you just do 3 then",
    "How should large exports be delivered? → Split into parts - several smaller files",
  ],
])("a choice with a remark is a decision: %j", (prompt, title) => {
  const note = decide(prompt);
  expect(note).toMatchObject({ type: "decision", title, provenance: "answer" });
  expect(note?.narrative).toContain(prompt);
});

test("remarks on several options say which were chosen and which rejected", () => {
  const note = decide("1. yes for small ones\n2. too much upkeep, let's skip\n3. sure");
  expect(note?.title).toBe(
    "How should large exports be delivered? → Stream to the browser, Split into parts, not Write to object storage",
  );
  expect(note?.narrative).toContain("too much upkeep");
});

test("answers to several questions are not taken for remarks on the options", () => {
  expect(decide("1. yes for small ones\n2. can we keep the old name of the file?")).toBeUndefined();
});

test("the agent settles a choice by its name, also without a list", () => {
  const previousFinal =
    "Tests of the mail module need a server. `fake-mail` is ready to use, an own class gives control.\n\nWhat should the tests of the mail module use?";
  const note = makeAgreementNote({
    prompt: "I am leaning to the ready one, we only send one kind of mail",
    previousFinal,
    reply: "Got it — the `fake-mail` package it is. Let me add it.",
    promptEventId: "p",
  });
  expect(note?.title).toContain("fake-mail");
});

test('the line above the options names the subject of "Thoughts?"', () => {
  const previousFinal =
    "The draft is saved. One more thing:\n\n**For an account without an address:**\n- **A) Skip the mail** silently\n- **B) Show the link in the app** instead\n\nThoughts?";
  const note = makeAgreementNote({ prompt: "B", previousFinal, reply: "", promptEventId: "p" });
  expect(note?.title).toBe("For an account without an address → Show the link in the app instead");
});

test("a question with a label is found, also if it asks what you want", () => {
  const previousFinal =
    "One file it is. Next question: What kinds of drafts do you want to keep, or only letters?\n\n**A) Letters only** — simple\n\n**B) Drafts of all kinds** — any text";
  const note = makeAgreementNote({ prompt: "b", previousFinal, reply: "", promptEventId: "p" });
  expect(note?.title).toBe(
    "What kinds of drafts do you want to keep, or only letters? → Drafts of all kinds — any text",
  );
});

test("the findings of the message with the question are kept with the answer", () => {
  expect(decide("2")?.facts).toEqual([
    "The exporter in `src/export.ts` writes the whole file at once and needs 2 GB for large accounts.",
  ]);
});

test("the agent's words confirm a decision that names no option", () => {
  const note = decide(
    "maybe mail first, and the rest when somebody asks?",
    "Makes sense - build the mail link first, add streaming later.\n\n**How long should links live?**",
  );
  expect(note?.title).toBe(
    "How should large exports be delivered? → Build the mail link first, add streaming later",
  );
  expect(note?.narrative).toContain("maybe mail first");
});

test("the confirmed decision may be a list", () => {
  const note = decide(
    "can it stream small ones and mail a link for the others?",
    "Yes, that's a good tiered approach:\n- Stream below 50 MB\n- Mail a link above\n\nShall I start?",
  );
  expect(note?.title).toBe("How should large exports be delivered? → Stream below 50 MB; Mail a link above");
});

test.each([
  ["a question back", "what would 2 cost us?", ""],
  ["a refusal of an option", "not 2, that bucket is going away", ""],
  ["a comment", "hm, mail is slow", "Right - mail servers may delay the link."],
  [
    "a reply with alternatives",
    "can it not ask the bucket?",
    "Good idea. For the plan we could do:\n- Read the size from the bucket once\n- Or cache it per tenant",
  ],
  ["an announcement", "ok then", "Got it - let me look at the exporter first."],
  ["no option of that number", "7", ""],
])("%s is no decision", (_name, prompt, reply) => {
  expect(decide(prompt, reply)).toBeUndefined();
});

test("an offer of a next step is no question about options", () => {
  const previousFinal =
    "Two things are left:\n\n1. Rename the column\n2. Drop the index\n\nWant me to start?";
  const reply = "Makes sense - keep the index for now.";
  expect(
    makeAgreementNote({ prompt: "the index is needed", previousFinal, reply, promptEventId: "p" }),
  ).toBeUndefined();
});

test("an accepted proposal is named by what was proposed", () => {
  const previousFinal = "I'd suggest to keep the nightly export in its own queue. Shall I go ahead?";
  const note = makeAgreementNote({ prompt: "yes", previousFinal, reply: "", promptEventId: "p" });
  expect(note?.title).toBe("Keep the nightly export in its own queue");
  const against = previousFinal.replace("to keep", "against");
  const warned = makeAgreementNote({ prompt: "yes", previousFinal: against, reply: "", promptEventId: "p" });
  expect(warned?.title ?? "against").toContain("against");
});
