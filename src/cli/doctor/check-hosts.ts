import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findHosts, type HostPlace } from "../../install/find-hosts.ts";
import { isInHost } from "../../install/install-host.ts";
import { pluginId } from "../../install/ours.ts";
import { toAppError } from "../../shared/errors.ts";
import { makeHostSource } from "../plugin-install.ts";
import type { DoctorFacts } from "./doctor-facts.ts";
import { type Check, ok, type CheckResult, warning } from "./check-result.ts";

export const hostChecks: readonly Check[] = [{ check: "Other agents", run: checkHosts }];

async function checkHosts({ context }: DoctorFacts): Promise<CheckResult[]> {
  const source = makeHostSource(context);
  const remarks = await Promise.all(
    findHosts(context.environment).map(async (place): Promise<CheckResult> => {
      const { name, marks } = place.host;
      try {
        return (await isInHost(place, source))
          ? judgeTrust(place)
          : ok(
              `${marks.label} is on PATH and does not use Rookery; to add it: rookery install --host ${name}`,
            );
      } catch (thrown) {
        return warning(`${marks.label}: ${toAppError(thrown).message}`, `rookery install --host ${name}`);
      }
    }),
  );
  return remarks.length > 0 ? remarks : [ok("none on PATH")];
}

/** A host may run hooks only after the person has reviewed them. */
function judgeTrust({ host, folder }: HostPlace): CheckResult {
  const { marks, install, events } = host;
  const { label } = marks;
  const config = install.plugin && join(folder, install.plugin.configFile);
  if (!install.plugin || config === undefined) return ok(`installed in ${label}`);
  const trusted = existsSync(config)
    ? install.plugin.countTrusted(readFileSync(config, "utf8"), pluginId)
    : 0;
  const wanted = Object.keys(events.names).length;
  return trusted >= wanted
    ? ok(`installed in ${label}; all ${wanted} hooks are trusted`)
    : warning(`${label} trusts ${trusted} of our ${wanted} hooks and runs no others`, install.hint);
}
