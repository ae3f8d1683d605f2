import { spawn } from "node:child_process";
import { callOverTcp } from "../../client/call-over-tcp.ts";
import { callEndpoint } from "../../client/request.ts";
import type { Environment } from "../../config/environment.ts";
import { viewerEndpoints } from "../../protocol/endpoints/viewer.ts";
import type { Command } from "../command.ts";
import { formatCount } from "../format.ts";

export const open: Command = {
  summary: "Open the viewer in the browser.",
  usage: "[--print] [--forget]",
  examples: ["rookery open", "rookery open --print", "rookery open --forget"],
  options: { print: { type: "boolean" }, forget: { type: "boolean" } },
  optionHelp: {
    print: "only print the address; it works once, within a minute",
    forget: "sign out all browsers that are remembered",
  },
  async run(context, { flags }) {
    if (flags.forget) {
      const { forgotten } = await callEndpoint(context.address, viewerEndpoints.forgetBrowsers);
      const sentence = `Forgot ${formatCount(forgotten, "browser")}. Tabs that are open stay signed in until you close them.`;
      context.print(context.isJson ? JSON.stringify({ forgotten }) : sentence);
      return 0;
    }
    const { url, expiresAt } = await callOverTcp(context.home, viewerEndpoints.createViewerCode, {});
    const opened = !flags.print && (await openBrowser(url, context.environment));
    if (context.isJson) context.print(JSON.stringify({ url, expiresAt, opened }));
    else if (opened) context.print("The viewer is opening in your browser. It is remembered for 30 days.");
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
