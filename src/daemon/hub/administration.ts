import { readSecrets, updateSecrets } from "../../config/secrets.ts";
import type { HubConnection } from "../../hub/connect.ts";
import { encodeInvite, type HubTarget, parseHubUrl } from "../../hub/target.ts";
import type { Handlers } from "../../http/handlers.ts";
import type { hubEndpoints } from "../../protocol/endpoints/hub.ts";
import { dayMs, type Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import { connectTo } from "./hub-line.ts";

type AdminHandlers = Pick<
  Handlers<typeof hubEndpoints>,
  "createHub" | "upgradeHub" | "inviteToHub" | "listHubMembers" | "revokeFromHub" | "scrubHub"
>;

/** Rewriting a large table takes long. */
const adminMs = 30 * 60_000;

/** Commands of the hub's administrator: they connect as the owner of the database, for one call. */
export function makeAdministration(secretsFile: string, clock: Clock): AdminHandlers {
  const load = () => import("../../hub/administer.ts");

  async function connected<T>(
    target: HubTarget | undefined,
    work: (db: HubConnection) => Promise<T>,
  ): Promise<T> {
    if (!target) throw new AppError("hub_off", "This machine does not administer a hub.");
    const db = await connectTo(target, { timeoutMs: adminMs });
    try {
      return await work(db);
    } finally {
      await db.close();
    }
  }
  const asAdmin = <T>(work: (db: HubConnection) => Promise<T>): Promise<T> =>
    connected(readSecrets(secretsFile).hub.administration, work);

  return {
    async createHub({ body: { url, ca } }) {
      const target = parseHubUrl(url, ca);
      const { createHub } = await load();
      const hub = await connected(target, createHub);
      updateSecrets(secretsFile, (secrets) => {
        secrets.hub.administration = target;
      });
      return { host: target.host, hub };
    },
    async upgradeHub({ body: { restored } }) {
      const { upgradeHub } = await load();
      return { version: await asAdmin((db) => upgradeHub(db, restored)) };
    },
    async inviteToHub({ body }) {
      const { inviteToHub } = await load();
      const { administration } = readSecrets(secretsFile).hub;
      const { role, password } = await asAdmin((db) =>
        inviteToHub(db, {
          ...body,
          kind: body.machine ? "machine" : "person",
          isReadOnly: body.readOnly,
          isAdmin: body.admin,
        }),
      );
      const code = encodeInvite({ ...(administration as HubTarget), user: role, password });
      return { code, name: body.name, expiresAt: clock() + dayMs };
    },
    async listHubMembers() {
      const { listHubMembers } = await load();
      return { members: await asAdmin(listHubMembers) };
    },
    async revokeFromHub({ body: { name } }) {
      const { revokeFromHub } = await load();
      const machines = await asAdmin((db) => revokeFromHub(db, name));
      if (machines === 0) throw new AppError("person_not_found", `The hub has no member or machine ${name}.`);
      return { machines };
    },
    async scrubHub() {
      const { scrubHub } = await load();
      return { log: await asAdmin(scrubHub) };
    },
  };
}
