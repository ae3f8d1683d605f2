import { expect } from "vitest";
import { openCodexWorld } from "./codex.ts";
import { type HostWorld, joinProject } from "./host-world.ts";
import type { ModelStep } from "./model-server.ts";
import { waitFor } from "./processes.ts";
import type { Ran, Rookery } from "./rookery.ts";

interface CodexPeer {
  /** A session with one prompt, which writes to the agent through its own MCP server. Returns once the message waits there. */
  send(to: string, text: string): Promise<void>;
  close(): Promise<void>;
}

/** The real Codex in the same project and with the same daemon as another host. */
export async function openCodexPeer({ home, query }: Rookery, project: string): Promise<CodexPeer> {
  const world = await openCodexWorld();
  await joinProject(world, project, home.root, "codex");
  const countWaiting = () => query("SELECT count(*) AS count FROM deliveries")[0]?.count;
  return {
    async send(to, text) {
      const before = countWaiting();
      world.model.play([
        { tools: [{ name: "message_send", namespace: "mcp__rookery", input: { to, text } }] },
      ]);
      expect(await world.prompt("Tell the others.")).toMatchObject({ code: 0 });
      expect(world.model.requests.at(-1)?.results.at(-1)).toContain("Sent: ");
      await waitFor(() => countWaiting() > before, { describe: "the delivery of the message" });
    },
    close: world.close,
  };
}

interface OtherHost {
  host: string;
  rookery: Rookery;
  world: HostWorld;
  /** A call of any tool. */
  step: ModelStep;
  prompt(text: string): Promise<Ran>;
}

/** During a session of the host, an agent in Codex writes to it: the model's next request contains the message. */
export async function expectMessageFromCodex({
  host,
  rookery,
  world,
  step,
  prompt,
}: OtherHost): Promise<void> {
  const peer = await openCodexPeer(rookery, world.project);
  try {
    world.model.requests.length = 0;
    world.model.respondWith(async ({ body, results }) => {
      if (!Array.isArray(body.tools) || body.tools.length === 0) return { text: "ok" };
      if (results.length > 0) return { text: "DONE" };
      await peer.send(findAgent(rookery, host), "The port is 4711.");
      return step;
    });
    expect(await prompt("GO-MAIL which port is it?")).toMatchObject({ code: 0 });
    const [before, after] = [0, 1].map((count) =>
      world.model.requests.find(({ body, results }) => body.tools?.length > 0 && results.length === count),
    );
    expect(before?.text).not.toContain("The port is 4711.");
    expect(after?.text).toContain("The port is 4711.");
    expect(rookery.query("SELECT state FROM deliveries")).toEqual([
      { state: expect.stringMatching(/injected|confirmed/) },
    ]);
  } finally {
    await peer.close();
  }
}

/** The name of the agent in the active session of a host. */
export function findAgent(rookery: Rookery, host: string): string {
  const [agent] = rookery.query(
    "SELECT a.name FROM agents a JOIN sessions s ON s.agent_id = a.id WHERE s.status = 'active' AND s.host = ?",
    host,
  );
  return agent?.name;
}
