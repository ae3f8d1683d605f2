// `npm start`, `npm test` and `npm pack` from a bare clone, on whatever Node runs npm: installs the packages of the lockfile,
// including the pinned Node, and continues with that one.
import { join } from "node:path";
import { installPackages, installTestTools } from "./install.mjs";
import { fail, root, run } from "./run.mjs";

const [task, ...args] = process.argv.slice(2);
// At once: each mostly waits for the network.
await Promise.all([installPackages(), ...(task === "test" ? [installTestTools(args[0] === "--long")] : [])]);
run("node", [join(root, "scripts", "build.mjs")]);
if (task === "start") run(join(root, "bin", "rookery"), ["up", ...args]);
else if (task === "test") run("node", [join(root, "scripts", "test.mjs"), ...args]);
else if (task !== "build") fail(`bootstrap: unknown task ${task}`);
