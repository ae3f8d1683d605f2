import { homedir } from "node:os";
import { basename, join } from "node:path";
import type { Host } from "../hosts/host.ts";
import { defaultHost, hosts } from "../hosts/hosts.ts";
import { AppError } from "../shared/errors.ts";
import { findCommand } from "./find-claude.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A host on this machine, other than the default one. */
export interface HostPlace {
  host: Host;
  /** Its program. */
  command: string;
  /** Its configuration folder. */
  folder: string;
  /** The folder with its transcripts. */
  data: string;
}

/** The hosts whose command is on PATH, without the default one. */
export function findHosts(environment: Environment): HostPlace[] {
  return hosts.flatMap((host) => {
    const place = host === defaultHost ? undefined : findHost(host, environment);
    return place ? [place] : [];
  });
}

/** Throws `host_not_found` if the host is unknown or not installed. */
export function requireHost(name: string, environment: Environment): HostPlace {
  const host = hosts.find((each) => each.name === name);
  const names = hosts.map((each) => each.name).join(", ");
  if (!host) throw new AppError("invalid_argument", `There is no host ${name}. Known: ${names}.`);
  const place = findHost(host, environment);
  if (!place) throw new AppError("host_not_found", `There is no \`${host.install.command}\` on PATH.`);
  return place;
}

function findHost(host: Host, environment: Environment): HostPlace | undefined {
  const command = findCommand(host.install.command, environment.PATH);
  if (command === undefined) return undefined;
  const { install, transcripts } = host;
  const folder = locateFolder(install.folder, environment);
  const data = transcripts.home ? locateFolder(transcripts.home, environment) : folder;
  return { host, command, folder, data };
}

function locateFolder(folder: Host["install"]["folder"], environment: Environment): string {
  const moved = folder.variable === undefined ? undefined : environment[folder.variable];
  const parent = folder.parentVariable === undefined ? undefined : environment[folder.parentVariable];
  if (!moved && parent) return join(parent, basename(folder.name));
  return moved || join(environment.HOME || homedir(), folder.name);
}
