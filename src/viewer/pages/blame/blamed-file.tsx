import { useState } from "preact/hooks";
import type { BlameFileView, BlameView } from "../../../protocol/blame.ts";
import { formatCount, formatDateTime, revealInvisible } from "../../data/format.ts";
import { useResource } from "../../data/resource.ts";
import { makeHash } from "../../data/route.ts";
import { Loading } from "../../parts/empty.tsx";
import { Age, Line } from "../../parts/text.tsx";
import { TypeMark } from "../../parts/type-mark.tsx";

/** Lines in a row with the same origin. */
interface Block {
  first: number;
  origin: number | null;
  isGuess: boolean;
  lines: string[];
}

/** A file line by line: who wrote each line, and the reason for the hovered or focused block. */
export function BlamedFile({ project, file }: { project: string; file: string }) {
  const { data, error } = useResource("GET /api/blame/file", { query: { project, file } });
  const [active, setActive] = useState<number | null>(null);
  if (!data) return <Loading error={error} />;
  const full = data.lines.filter(({ text }) => text.trim() !== "");
  const known = full.filter(({ origin }) => origin !== null).length;
  return (
    <article class="blame">
      <a class="back" href={makeHash("blame", undefined, { project })}>
        ← All files
      </a>
      <h2>
        <Line text={data.file} />
      </h2>
      <p class="faint">
        {known} of {formatCount(full.length, "line")} from recorded edits of{" "}
        {formatCount(new Set(data.origins.map(({ session }) => session)).size, "session")}
      </p>
      <Reason origin={active === null ? undefined : data.origins[active]} />
      <div class="blame-lines">
        {listBlocks(data).map((block) => (
          <BlockRow
            key={block.first}
            block={block}
            origin={block.origin === null ? undefined : data.origins[block.origin]}
            isActive={block.origin !== null && block.origin === active}
            onShow={() => setActive(block.origin)}
          />
        ))}
      </div>
      {data.isCut && <p class="faint">The file is longer; only its first lines are shown.</p>}
    </article>
  );
}

function listBlocks({ lines }: BlameFileView): Block[] {
  const blocks: Block[] = [];
  lines.forEach(({ text, origin, isGuess }, index) => {
    const last = blocks.at(-1);
    // An empty line belongs to the block around it.
    const isSame = last && (last.origin === origin || (text.trim() === "" && origin === null));
    if (isSame) last.lines.push(text);
    else blocks.push({ first: index + 1, origin, isGuess, lines: [text] });
  });
  return blocks;
}

interface BlockRowProps {
  block: Block;
  origin: BlameView | undefined;
  isActive: boolean;
  onShow(): void;
}

const maxLine = 500;

function BlockRow({ block: { first, isGuess, lines }, origin, isActive, onShow }: BlockRowProps) {
  return (
    <div class={`blame-block ${isActive ? "blame-active" : ""}`} onMouseEnter={onShow}>
      <div class="blame-who">
        {origin ? (
          <a data-row href={makeHash("sessions", origin.session)} onFocus={onShow}>
            <Line text={origin.agent || origin.project} />{" "}
            <span class="faint">
              {isGuess && "older than "}
              <Age at={origin.at} />
            </span>
          </a>
        ) : (
          <span class="faint">no recorded edit</span>
        )}
      </div>
      <ol class="blame-code" start={first}>
        {lines.map((text, index) => (
          <li key={index} value={first + index}>
            {revealInvisible(text.slice(0, maxLine).toWellFormed()) || " "}
          </li>
        ))}
      </ol>
    </div>
  );
}

const maxNotes = 3;

/** The prompt, the notes and the summary of the turn. Its height is fixed, so that the lines do not move. */
function Reason({ origin }: { origin: BlameView | undefined }) {
  return (
    <aside class="blame-reason" aria-label="Reason" aria-live="polite" tabIndex={0}>
      {origin ? (
        <>
          <p class="faint">
            <Line text={origin.agent} />
            {origin.bySubagent && " (a subagent)"}, {formatDateTime(origin.at)} ·{" "}
            <a href={makeHash("sessions", origin.session)}>Open session</a>
            {origin.isGuess && " · not sure: this edit only kept the line"}
          </p>
          {origin.prompt && (
            <p class="blame-prompt">
              <Line text={origin.prompt.slice(0, 400)} />
            </p>
          )}
          <ul>
            {origin.notes.slice(0, maxNotes).map(({ id, type, title }) => (
              <li key={id}>
                <TypeMark type={type} />{" "}
                <a href={makeHash("memory", id)}>
                  <Line text={title} />
                </a>
              </li>
            ))}
          </ul>
          {origin.notes.length === 0 && origin.summary?.completed && (
            <p>
              <Line text={origin.summary.completed.slice(0, 300)} />
            </p>
          )}
        </>
      ) : (
        <p class="faint">Point at a line, or move with j and k, to see the prompt and the notes behind it.</p>
      )}
    </aside>
  );
}
