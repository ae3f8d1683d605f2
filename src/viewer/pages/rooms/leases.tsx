import type { LeaseView } from "../../../protocol/mail.ts";
import { remove } from "../../data/api.ts";
import { now } from "../../data/clock.ts";
import { makeHash } from "../../data/route.ts";
import { showError, showToast } from "../../data/toasts.ts";
import { formatDuration } from "../../data/format.ts";
import { Line } from "../../parts/text.tsx";

/** Active leases and their remaining time. */
export function Leases({ leases }: { leases: LeaseView[] }) {
  const running = leases.filter(({ expiresAt }) => expiresAt > now.value);
  return (
    <section aria-labelledby="leases-title">
      <h2 id="leases-title">Leases</h2>
      {running.length === 0 && (
        <p class="faint">
          No active leases. An agent claims files with <code>files_lease</code> before it edits them; others
          are warned.
        </p>
      )}
      <ul class="leases">
        {running.map((lease) => (
          <li key={lease.id}>
            <Lease lease={lease} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Lease({ lease: { id, holder, globs, exclusive, expiresAt } }: { lease: LeaseView }) {
  const release = (): void => {
    remove("DELETE /api/leases/:id", { params: { id } }).then(
      () => showToast(`Released ${globs.join(", ")} (${holder}).`),
      showError,
    );
  };
  return (
    <>
      {globs.map((glob) => (
        <code key={glob} class="glob">
          <Line text={glob} />
        </code>
      ))}
      <p class="faint">
        <a href={makeHash("rooms", holder)}>
          <Line text={holder} />
        </a>
        , {exclusive ? "exclusive" : "shared"}, {formatDuration(expiresAt - now.value)} left
        <button type="button" class="quiet" onClick={release}>
          Release<span class="visually-hidden"> the lease of {holder}</span>
        </button>
      </p>
    </>
  );
}
