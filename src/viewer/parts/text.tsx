import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { now } from "../data/clock.ts";
import { formatAge, formatCount, formatDateTime, revealInvisible } from "../data/format.ts";

interface LineProps {
  text: string;
  class?: string;
  /** Highlights the search terms. */
  marks?: RegExp | undefined;
}

const maxLineLength = 2_000;

/** One line of untrusted text, rendered as text only and cut off when it is too long. */
export function Line({ text, class: name, marks }: LineProps) {
  const shown = revealInvisible(text.slice(0, maxLineLength).toWellFormed());
  const hidden = text.length - maxLineLength;
  return (
    <bdi class={name} dir="auto">
      {renderCode(shown, marks)}
      {hidden > 0 && ` … ${formatCount(hidden, "more character")}`}
    </bdi>
  );
}

const firstPortion = 6_000;
/** Browsers take seconds to kern a word of thousands of letters. */
const longWord = /\S{1000}/;

interface PortionsProps {
  text: string;
  class: string;
  /** Depends on the part only. */
  render(part: string): ComponentChildren;
}

/** ` on main`; nothing without a branch. */
export function OnBranch({ branch }: { branch: string | null }) {
  if (!branch) return null;
  return (
    <>
      {" "}
      on <Line text={branch} />
    </>
  );
}

/** Untrusted text of any length, shown in portions. */
export function Portions({ text, class: name, render }: PortionsProps) {
  const [shown, setShown] = useState(firstPortion);
  const hidden = text.length - shown;
  const part = revealInvisible(text.slice(0, shown).toWellFormed());
  return (
    <div class={longWord.test(part) ? `${name} unkerned` : name} dir="auto">
      {useMemo(() => render(part), [part])}
      {hidden > 0 && (
        <button type="button" class="quiet more" onClick={() => setShown(shown * 4)}>
          … {formatCount(hidden, "more character")}
        </button>
      )}
    </div>
  );
}

/** Text with its line breaks, exactly as it was written, except that inline code is marked. */
export function Prose({ text, class: name = "prose" }: { text: string; class?: string }) {
  return (
    <Portions text={text} class={name} render={(part) => (name === "code" ? part : renderBlocks(part))} />
  );
}

/** Renders fenced code blocks. */
function renderBlocks(text: string): ComponentChildren {
  const parts = text.split(/^```[^\n`]*\n([\s\S]*?)\n?^```[^\S\n]*\n?/m);
  if (parts.length === 1) return renderCode(text);
  return parts.map((part, index) =>
    index % 2 === 1 ? (
      <div key={index} class="code">
        {part}
      </div>
    ) : (
      renderCode(part)
    ),
  );
}

/** Renders inline code, and highlights the matches of `marks`. */
function renderCode(text: string, marks?: RegExp): ComponentChildren {
  const parts = text.split(/`([^`\n]+)`/);
  if (parts.length === 1) return highlight(text, marks);
  return parts.map((part, index) =>
    index % 2 === 1 ? <code key={index}>{highlight(part, marks)}</code> : highlight(part, marks),
  );
}

function highlight(text: string, marks: RegExp | undefined): ComponentChildren {
  if (!marks) return text;
  return text.split(marks).map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part));
}

export function Age({ at }: { at: number }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={formatDateTime(at)}>
      {formatAge(at, now.value)}
    </time>
  );
}
