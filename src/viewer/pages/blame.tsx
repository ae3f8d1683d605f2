import { useState } from "preact/hooks";
import type { ProjectView } from "../../protocol/memory.ts";
import { formatCount, revealInvisible } from "../data/format.ts";
import { useResource } from "../data/resource.ts";
import { makeHash, replaceRoute, route } from "../data/route.ts";
import { splitMinWidth, useFirst } from "../data/use-first.ts";
import { Empty, Loading } from "../parts/empty.tsx";
import { Split } from "../parts/split.tsx";
import { Age, Line } from "../parts/text.tsx";
import { BlamedFile } from "./blame/blamed-file.tsx";

/** Picks a file that sessions have edited, and shows which session wrote each line, and why. */
export function Blame() {
  const { id: file, query } = route.value;
  const { data, error } = useResource("GET /api/projects", {});
  const projects = data?.projects ?? [];
  const latest = useResource("GET /api/sessions", { query: { limit: 1 } }).data;
  const newest = latest?.sessions[0];
  // Names may repeat; a folder does not.
  const isLatest = ({ path }: ProjectView): boolean =>
    newest?.cwd?.startsWith(path.replace(/[/\\]\.git$/, "")) === true;
  const isReady = data !== undefined && latest !== undefined;
  const project = isReady
    ? (projects.find(({ id, name }) => id === query.project || name === query.project) ??
      projects.find(isLatest) ??
      projects[0])
    : undefined;
  return (
    <Split
      title="Blame"
      listName="Files"
      detailName="Lines"
      isOpen={file !== undefined}
      list={
        project ? (
          <FileList key={project.id} project={project} projects={projects} selected={file} />
        ) : isReady ? (
          <NoFiles />
        ) : (
          <Loading error={error} />
        )
      }
      detail={
        file !== undefined && project ? (
          <BlamedFile key={`${project.id} ${file}`} project={project.id} file={file} />
        ) : (
          <div class="hint">
            <p>Pick a file to see which session wrote each line, and the reason.</p>
          </div>
        )
      }
    />
  );
}

const maxShown = 200;

interface FileListProps {
  project: ProjectView;
  projects: ProjectView[];
  selected: string | undefined;
}

function FileList({ project, projects, selected }: FileListProps) {
  const [words, setWords] = useState("");
  const { data, error } = useResource(
    "GET /api/blame/files",
    { query: { project: project.id } },
    ({ type }) => type === "turn.ended",
  );
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found =
    data?.files.filter(({ path }) => wanted.every((word) => path.toLowerCase().includes(word))) ?? [];
  // Only files of the project can be opened; others have a full path.
  const first = found.find(({ path }) => !/^(?:\/|\w:)/.test(path));
  useFirst("blame", first?.path, splitMinWidth, { project: project.id });
  return (
    <>
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <input
          type="search"
          aria-label="Search files"
          placeholder="Search files …  /"
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
        <select
          aria-label="Project"
          value={project.id}
          onChange={(event) => replaceRoute("blame", undefined, { project: event.currentTarget.value })}
        >
          {projects.map(({ id, name }) => (
            <option key={id} value={id}>
              {revealInvisible(name)}
            </option>
          ))}
        </select>
      </form>
      {!data && <Loading error={error} />}
      {data?.files.length === 0 && <NoFiles />}
      {data && data.files.length > 0 && (
        <>
          <p class="list-head" role="status">
            {formatCount(found.length, "file")}
          </p>
          <div class="scroll" tabIndex={0} role="region" aria-label="Edited files">
            <ul class="results">
              {found.slice(0, maxShown).map(({ path, edits, sessions, lastAt }) => (
                <li key={path}>
                  <a
                    data-row
                    class="row"
                    href={makeHash("blame", path, { project: project.id })}
                    aria-current={path === selected ? "true" : undefined}
                  >
                    <span class="row-text">
                      <span class="row-title">
                        <Line text={path.slice(path.lastIndexOf("/") + 1)} />
                      </span>
                      <span class="row-meta">
                        <Line text={path} />
                      </span>
                      <span class="row-meta">
                        {formatCount(edits, "edit")} in {formatCount(sessions, "session")} ·{" "}
                        <Age at={lastAt} />
                      </span>
                    </span>
                  </a>
                </li>
              ))}
            </ul>
            {found.length > maxShown && (
              <p class="faint">… {formatCount(found.length - maxShown, "more file")}: search for one.</p>
            )}
          </div>
        </>
      )}
    </>
  );
}

function NoFiles() {
  return (
    <Empty title="No edited files yet" isStart>
      <p>When a session edits a file, you can see here which prompt each line came from.</p>
      <p>
        In a terminal: <kbd>rookery blame src/pool.ts:42</kbd>
      </p>
    </Empty>
  );
}
