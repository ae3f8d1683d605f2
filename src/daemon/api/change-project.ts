import type { Handlers } from "../../http/handlers.ts";
import type { memoryEndpoints } from "../../protocol/endpoints/memory.ts";
import type { Audit } from "../ask/audit.ts";
import type { RequirePerson } from "../ask/require-person.ts";

type ChangeProject = Pick<Handlers<typeof memoryEndpoints>, "changeProject">;

/**
 * Only a person switches the memory of a project: "on" would record what they excluded, "off" would hide what an agent
 * does, and without blocking an agent edits what another has claimed.
 */
export function guardChangeProject(
  { changeProject }: ChangeProject,
  person: { audit: Audit; requirePerson: RequirePerson },
): ChangeProject {
  return {
    async changeProject(input) {
      const about = { action: "change-setting", place: "api" } as const;
      const subject = `project ${input.params.id.slice(0, 200)}`;
      await person.requirePerson(input.caller.peer, { ...about, subject });
      const changed = await changeProject(input);
      person.audit.record({ ...about, result: "accepted", who: "a person on this machine", detail: subject });
      return changed;
    },
  };
}
