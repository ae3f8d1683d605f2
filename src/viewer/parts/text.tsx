import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { now } from "../data/clock.ts";
import { sayAge, sayCount, sayMoment, showUnseen } from "../data/words.ts";

interface LineProps {
  text: string;
  class?: string;
  /** What in it was looked for. */
  marks?: RegExp | undefined;
}

const longestLine = 2_000;

/** One line of text from anywhere. It can only ever be text, and it is a line: what is far too long for one is cut. */
export function Line({ text, class: name, marks }: LineProps) {
  const shown = showUnseen(text.slice(0, longestLine).toWellFormed());
  const hidden = text.length - longestLine;
  return (
    <bdi class={name} dir="auto">
      {marks ? mark(shown, marks) : setCode(shown)}
      {hidden > 0 && ` … ${sayCount(hidden, "more character")}`}
    </bdi>
  );
}

const atOnce = 6_000;
/** Kerning a word of thousands of letters takes a browser seconds. */
const endlessWord = /\S{1000}/;

/** A text of any length from anywhere, line breaks kept; a long one in portions. */
export function Prose({ text, class: name = "prose" }: { text: string; class?: string }) {
  const [shown, setShown] = useState(atOnce);
  const hidden = text.length - shown;
  const part = showUnseen(text.slice(0, shown).toWellFormed());
  return (
    <div class={endlessWord.test(part) ? `${name} unkerned` : name} dir="auto">
      {name === "code" ? part : setBlocks(part)}
      {hidden > 0 && (
        <button type="button" class="quiet more" onClick={() => setShown(shown * 4)}>
          … {sayCount(hidden, "more character")}
        </button>
      )}
    </div>
  );
}

/** Lines between three back-ticks are a block of code, as whoever wrote them meant it. */
function setBlocks(text: string): ComponentChildren {
  const parts = text.split(/^```[^\n`]*\n([\s\S]*?)\n?^```[^\S\n]*\n?/m);
  if (parts.length === 1) return setCode(text);
  return parts.map((part, index) =>
    index % 2 === 1 ? (
      <div key={index} class="code">
        {part}
      </div>
    ) : (
      setCode(part)
    ),
  );
}

/** And a word between single ones is one in a line. */
function setCode(text: string): ComponentChildren {
  const parts = text.split(/`([^`\n]+)`/);
  if (parts.length === 1) return text;
  return parts.map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}

function mark(text: string, marks: RegExp): ComponentChildren {
  return text.split(marks).map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part));
}

export function Age({ at }: { at: number }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={sayMoment(at)}>
      {sayAge(at, now.value)}
    </time>
  );
}
