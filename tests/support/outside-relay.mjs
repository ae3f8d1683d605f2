// node outside-relay.mjs SOCKET: executes requests from SOCKET, as a reparented process (see outside.ts).
import { execFile } from "node:child_process";
import { createServer, request } from "node:http";

const [socket] = process.argv.slice(2);
const server = createServer(async (incoming, outgoing) => {
  let text = "";
  for await (const chunk of incoming.setEncoding("utf8")) text += chunk;
  const asked = JSON.parse(text);
  if (incoming.url === "/end") {
    outgoing.end("{}");
    server.close(() => process.exit());
    return;
  }
  const done = incoming.url === "/run" ? await run(asked) : await call(asked);
  outgoing.end(JSON.stringify(done));
});
server.listen(socket);
// Ends by itself if the test was killed.
setTimeout(() => process.exit(), 1_800_000).unref();

function run({ command: [file, ...args], env, input }) {
  return new Promise((resolve) => {
    const child = execFile(file, args, { env }, (error, stdout, stderr) =>
      resolve({ code: error ? (error.code ?? null) : 0, stdout, stderr }),
    );
    child.stdin.end(input);
  });
}

/** Secrets of viewer tabs, by daemon. A restarted daemon refuses an old one, so the tab is opened again. */
const consents = new Map();

async function call(asked) {
  if (asked.method === "GET") return send(asked);
  const daemon = `${asked.port} ${asked.token}`;
  const isNew = !consents.has(daemon);
  if (isNew) consents.set(daemon, await openTab(asked));
  const answer = await send({ ...asked, consent: consents.get(daemon) });
  if (isNew || answer.status !== 403) return answer;
  consents.delete(daemon);
  return call(asked);
}

async function openTab({ port, token }) {
  const { status, text } = await send({ port, token, method: "POST", path: "/api/viewer/codes" });
  if (status !== 201) return undefined;
  const code = JSON.parse(text).url.split("#code=")[1];
  const redeemed = await send({ port, token, method: "POST", path: "/viewer/token", body: { code } });
  // The daemon may have ended between the two requests.
  return redeemed.status === 200 ? JSON.parse(redeemed.text).consent : undefined;
}

function send({ port, token, consent, method, path, body }) {
  return new Promise((resolve) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(consent ? { "x-rookery-consent": consent } : {}),
    };
    const outgoing = request({ host: "127.0.0.1", port, method, path, headers, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk) => (text += chunk));
      response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, text }));
      response.on("error", (error) => resolve({ status: 0, headers: {}, text: error.message }));
    });
    outgoing.on("error", (error) => resolve({ status: 0, headers: {}, text: error.message }));
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
