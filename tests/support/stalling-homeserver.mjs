// A fake homeserver thread: answers the daemon until a request makes it block forever.
import { parentPort, workerData } from "node:worker_threads";

parentPort.on("message", ({ id, name, input }) => {
  if (input?.localpart === "stall") for (;;);
  parentPort.postMessage({ kind: "answer", id, output: name === "stats" ? { users: 0 } : undefined });
  if (name === "stop") parentPort.close();
});
parentPort.postMessage({ kind: "ready", port: workerData.ports[0] });
