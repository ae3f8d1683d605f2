import { fileURLToPath } from "node:url";
import { runCli } from "../cli/main.ts";
import { ask, waitForEnter } from "../cli/terminal-input.ts";
import { escapeControls, showControls } from "../cli/show-controls.ts";
import { truncateToWidth } from "../cli/text-width.ts";
import { makeDaemonEnvironment, readEnvironment } from "../config/environment.ts";
import { locateHome } from "../config/home.ts";
import { build } from "../shared/build.ts";

const environment = readEnvironment();
const home = locateHome(environment);
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

// A closed pipe (`rookery logs | head`) ends the command. Commands that need cleanup handle SIGHUP.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", () => {
    if (process.listenerCount("SIGHUP") > 0) process.kill(process.pid, "SIGHUP");
    else process.exit();
  });

const isTerminal = process.stdout.isTTY ?? false;
const isAttended = process.stdin.isTTY ?? false;

/** Progress lines overwrite each other, so they are only for a terminal. */
const isDrawing = (isJson: boolean): boolean => (process.stderr.isTTY ?? false) && !isJson;
const draw = (text: string): void =>
  void process.stderr.write(`\r\x1b[2K${truncateToWidth(text, (process.stderr.columns ?? 80) - 1)}`);

process.exitCode = await runCli(process.argv.slice(2), (isJson) => ({
  home,
  address: home,
  environment,
  startOptions: {
    address: home,
    home,
    environment: makeDaemonEnvironment(environment),
    daemonScript: here("./daemon.js"),
    build,
  },
  pluginRoot: here("..").replace(/[\\/]$/, ""),
  cwd: process.cwd(),
  isJson,
  isTerminal,
  columns: Number(environment.COLUMNS) || process.stdout.columns || Number.POSITIVE_INFINITY,
  print: (text) =>
    void process.stdout.write(`${isJson ? escapeControls(text) : showControls(text, isTerminal)}\n`),
  drawProgress: isDrawing(isJson) ? draw : () => {},
  ask: isAttended && !isJson ? ask : undefined,
  waitForEnter: isAttended && !isJson ? waitForEnter : undefined,
  printNote: isJson
    ? () => {}
    : (text) => void process.stderr.write(`${showControls(text, process.stderr.isTTY ?? false)}\n`),
}));
