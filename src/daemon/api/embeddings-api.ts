import type { Handlers } from "../../http/handlers.ts";
import type { embeddingsEndpoints } from "../../protocol/endpoints/embeddings.ts";
import type { Audit } from "../ask/audit.ts";
import type { RequirePerson } from "../ask/require-person.ts";
import type { Embeddings } from "../memory/embeddings.ts";

interface EmbeddingsHandlersDeps {
  embeddings: Pick<Embeddings, "trial">;
  person: { audit: Audit; requirePerson: RequirePerson };
}

/** A trial sends a text, and perhaps a key, to any address: only a person may decide that. */
export function makeEmbeddingsHandlers({
  embeddings,
  person,
}: EmbeddingsHandlersDeps): Handlers<typeof embeddingsEndpoints> {
  const about = { action: "change-setting", place: "api" } as const;
  return {
    async tryEmbeddings({ body, caller: { peer } }) {
      await person.requirePerson(peer, { ...about, subject: "embeddings (trial)" });
      const trial = await embeddings.trial(body);
      const detail = `embeddings (trial): ${trial.provider} at ${trial.baseUrl}`;
      person.audit.record({ ...about, result: "accepted", who: "a person on this machine", detail });
      return trial;
    },
  };
}
