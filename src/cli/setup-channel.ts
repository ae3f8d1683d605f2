import { callEndpoint } from "../client/request.ts";
import { daemonEndpoints } from "../protocol/endpoints/daemon.ts";
import { reachEndpoints } from "../protocol/endpoints/reach.ts";
import type { PairingOffer } from "../protocol/reach.ts";
import type { AnsweringChannel } from "../protocol/ask.ts";
import { callAsPerson } from "./call-as-person.ts";
import type { CliContext } from "./command.ts";
import { startInstalledDaemon } from "./start-daemon.ts";

/** The confirmed address: one that an agent wrote into config.json must not get the tokens. */
export async function readConfirmedSetting(context: CliContext, key: string): Promise<string> {
  await startInstalledDaemon(context);
  const { values, running } = await callEndpoint(context.address, daemonEndpoints.getConfig);
  return String(running[key] ?? values[key]);
}

export function offerPairing(context: CliContext, channel: AnsweringChannel): Promise<PairingOffer> {
  return callAsPerson(context, reachEndpoints.offerPairing, { body: { channel } });
}

/** `how`: where to send the code, worded to follow "Send this code". */
export function describePairing({ code }: PairingOffer, how: string): string[] {
  return [
    "",
    `Only paired people can answer. Send this code ${how}, within the hour:`,
    "",
    `    ${code.slice(0, 3)} ${code.slice(3)}`,
    "",
    "See who is paired: rookery pair --list",
  ];
}
