import { findHosts, type HostPlace } from "../../install/find-hosts.ts";
import { isHintOpen, readTrust } from "../../install/hook-trust.ts";
import { isInHost } from "../../install/install-host.ts";
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

function judgeTrust(place: HostPlace): CheckResult {
  const { marks, install } = place.host;
  const trust = readTrust(place);
  if (!trust) return ok(`installed in ${marks.label}${isHintOpen(place) ? `. ${install.hint}` : ""}`);
  const { trusted, wanted } = trust;
  return trusted >= wanted
    ? ok(`installed in ${marks.label}; all ${wanted} hooks are trusted`)
    : warning(`${marks.label} trusts ${trusted} of our ${wanted} hooks and runs no others`, install.hint);
}
