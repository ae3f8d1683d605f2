import { useEffect } from "preact/hooks";
import type { HubStatus } from "../../../protocol/hub.ts";
import { now } from "../../data/clock.ts";
import { formatAge, formatNumber } from "../../data/format.ts";
import { useResource } from "../../data/resource.ts";
import { Line } from "../../parts/text.tsx";

/** The shared projects, the authors of received notes and the backlog. Empty before a hub is joined. */
export function Sharing() {
  const { data: hub, reload } = useResource("GET /api/hub", {});
  useEffect(reload, [now.value]);
  if (!hub || hub.state === "none") return null;
  const contact =
    hub.contactAt === null ? "no contact yet" : `last contact ${formatAge(hub.contactAt, now.value)}`;
  return (
    <section aria-labelledby="sharing-title">
      <h2 id="sharing-title">Sharing</h2>
      <p>
        <Line text={`${hub.host}, as ${hub.member} (${hub.device}), ${contact}.`} />
      </p>
      {hub.state === "revoked" && (
        <p class="trouble" role="status">
          The hub has revoked this machine. The notes of others were removed from it.
        </p>
      )}
      {hub.error !== null && (
        <p class="trouble" role="status">
          Not reached: <Line text={hub.error} /> Everything works locally; Rookery keeps trying.
        </p>
      )}
      {hub.projects.length === 0 ? (
        <p class="faint">
          No project is shared. In a project: <kbd>rookery share</kbd>
        </p>
      ) : (
        <Projects projects={hub.projects} />
      )}
    </section>
  );
}

function Projects({ projects }: Pick<HubStatus, "projects">) {
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label="Shared projects">
      <table>
        <thead>
          <tr>
            <th scope="col">Project</th>
            <th scope="col">Sent</th>
            <th scope="col">Waiting</th>
            <th scope="col">Refused</th>
            <th scope="col">From others</th>
            <th scope="col">Behind</th>
            <th scope="col">Machines</th>
          </tr>
        </thead>
        <tbody>
          {projects.map(({ id, name, sent, waiting, setAside, authors, behind, machines }) => (
            <tr key={id}>
              <th scope="row">
                <Line text={name} />
              </th>
              <td>{formatNumber(sent)}</td>
              <td>{formatNumber(waiting)}</td>
              <td>{formatNumber(setAside.length)}</td>
              <td>
                <Line
                  text={authors.map((by) => `${by.name} ${formatNumber(by.notes)}`).join(", ") || "none"}
                />
              </td>
              <td>{formatNumber(behind)}</td>
              <td>{formatNumber(machines)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
