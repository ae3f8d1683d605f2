import { useState } from "preact/hooks";
import { now } from "../data/clock.ts";
import { sayAge, sayCount, sayMoment, showUnseen } from "../data/words.ts";

/** One line of text from anywhere. It can only ever be text. */
export function Line({ text, class: name }: { text: string; class?: string }) {
  return (
    <bdi class={name} dir="auto">
      {showUnseen(text)}
    </bdi>
  );
}

const atOnce = 6_000;

/** A text of any length from anywhere, line breaks kept; a long one in portions. */
export function Prose({ text, class: name = "prose" }: { text: string; class?: string }) {
  const [shown, setShown] = useState(atOnce);
  const hidden = text.length - shown;
  return (
    <div class={name} dir="auto">
      {showUnseen(text.slice(0, shown).toWellFormed())}
      {hidden > 0 && (
        <button type="button" class="quiet more" onClick={() => setShown(shown * 4)}>
          … {sayCount(hidden, "more character")}
        </button>
      )}
    </div>
  );
}

export function Age({ at }: { at: number }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={sayMoment(at)}>
      {sayAge(at, now.value)}
    </time>
  );
}
