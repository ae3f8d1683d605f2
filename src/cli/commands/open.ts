import { spawn } from "node:child_process";
import { callOverTcp } from "../../client/call-over-tcp.ts";
import type { Environment } from "../../config/environment.ts";
import { viewerEndpoints } from "../../protocol/endpoints/viewer.ts";
import type { Command } from "../command.ts";

export const open: Command = {
  summary: "Open the viewer in the browser.",
  usage: "[--print]",
  examples: ["rookery open", "rookery open --print"],
  options: { print: { type: "boolean" } },
  optionHelp: { print: "only print the address; it works once, within a minute" },
  async run(context, { flags }) {
    const { url, expiresAt } = await callOverTcp(context.home, viewerEndpoints.createViewerCode, {});
    const opened = !flags.print && (await openBrowser(url, context.environment));
    if (context.isJson) context.print(JSON.stringify({ url, expiresAt, opened }));
    else if (opened) context.print("The viewer is opening in your browser. This tab stays signed in.");
    else context.print(`${url}\nOpen this address within a minute; it works once.`);
    return 0;
  },
};

/** False if there is no display, or no program that opens URLs. */
function openBrowser(url: string, environment: Environment): Promise<boolean> {
  const opener = findOpener(environment);
  if (!opener) return Promise.resolve(false);
  const [command, ...args] = opener;
  return new Promise((resolve) => {
    const child = spawn(command, [...args, url], { stdio: "ignore", detached: true, windowsHide: true });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}

function findOpener({ DISPLAY, WAYLAND_DISPLAY }: Environment): [string, ...string[]] | undefined {
  if (process.platform === "darwin") return ["open"];
  if (process.platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return DISPLAY || WAYLAND_DISPLAY ? ["xdg-open"] : undefined;
}
