import { afterAll, beforeAll, expect, it } from "vitest";
import { scriptTurns } from "../support/model-server.ts";
import {
  listQuestions,
  onTheCommandLine,
  openQuestion,
  waitForOutcome,
} from "../support/person-elsewhere.ts";
import { useOutside } from "../support/use-outside.ts";
import { bash, openWorld, type World } from "../support/world.ts";

const person = useOutside();
/** No viewer is open and no channel is set up. */
let world: World;
beforeAll(async () => {
  world = await openWorld();
  await world.rookery.start();
});
afterAll(() => world.close());

it("a dialog is listed at once and can be answered on the command line, while the terminal stays live", async () => {
  const run = (folder: string) => [{ tools: [bash(`mkdir ${folder}`)] }, { text: `MADE-${folder}` }];
  world.model.respondWith(scriptTurns({ "GO-ELSEWHERE": run("one"), "GO-HERE": run("two") }));
  const terminal = await world.interactive();
  await terminal.submit("GO-ELSEWHERE");
  const first = await openQuestion(world.rookery);
  expect(first.subject?.text).toBe("mkdir one");
  await terminal.waitForScreen(/Do you want to proceed/);
  await onTheCommandLine(person).answer(world.rookery, first, { allow: "once" });
  await terminal.waitForScreen("MADE-one");
  await terminal.submit("GO-HERE");
  const second = await openQuestion(world.rookery);
  await terminal.waitForScreen("Do you want to proceed");
  await terminal.answer("Do you want to proceed", "Enter");
  await terminal.waitForScreen("MADE-two");
  await waitForOutcome(world.rookery, second.id, { outcome: "Allowed in the terminal." });
  await terminal.close();
});

it("a headless session, which has no dialog, is not kept waiting", async () => {
  const before = await listQuestions(world.rookery);
  world.model.respondWith(
    scriptTurns({ "GO-HEADLESS": [{ tools: [bash("mkdir three")] }, { text: "End." }] }),
  );
  expect(await world.run("GO-HEADLESS")).toMatchObject({ code: 0 });
  expect(await listQuestions(world.rookery)).toEqual(before);
});
