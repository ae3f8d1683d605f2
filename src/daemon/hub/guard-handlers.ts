import type { Handlers } from "../../http/handlers.ts";
import { hubEndpoints } from "../../protocol/endpoints/hub.ts";
import type { RequirePerson } from "../ask/require-person.ts";

type HubHandlers = Handlers<typeof hubEndpoints>;
type AnyHandler = (input: { caller: { peer: Parameters<RequirePerson>[0] } }) => unknown;

/** Admits only a person to the endpoints that are for people: an agent may not share or invite for its user. */
export function guardHandlers(handlers: HubHandlers, requirePerson: RequirePerson): HubHandlers {
  const guarded = Object.entries(handlers).map(([name, handler]): [string, AnyHandler] => {
    const run = handler as AnyHandler;
    if (hubEndpoints[name as keyof HubHandlers].access !== "person") return [name, run];
    return [
      name,
      async (input) => {
        const about = { action: "change-setting", place: "api", subject: `hub (${name})` } as const;
        await requirePerson(input.caller.peer, about);
        return run(input);
      },
    ];
  });
  return Object.fromEntries(guarded) as unknown as HubHandlers;
}
