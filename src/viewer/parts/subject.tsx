import type { QuestionView } from "../../protocol/ask.ts";
import { sayCount, showUnseen } from "../data/words.ts";
import { Prose } from "./text.tsx";

const mostLines = 400;

/** What exactly one would allow. */
export function Subject({ subject }: { subject: NonNullable<QuestionView["subject"]> }) {
  const { format, text, hiddenSecrets } = subject;
  return (
    <>
      {format === "diff" ? (
        <Diff text={text} />
      ) : (
        <Prose class={format === "markdown" ? "prose plan" : "code"} text={text} />
      )}
      {hiddenSecrets > 0 && <p class="faint">{sayCount(hiddenSecrets, "secret")} hidden</p>}
    </>
  );
}

/** A file's name, then what goes and what comes. */
function Diff({ text }: { text: string }) {
  const lines = text.split("\n");
  const [path = "", ...changes] = lines.slice(0, mostLines);
  return (
    <div class="code diff">
      <div class="diff-path">{showUnseen(path)}</div>
      {changes.map((line, index) => (
        <div key={index} class={classOf(line)}>
          {showUnseen(line)}
        </div>
      ))}
      {lines.length > mostLines && <div>… {sayCount(lines.length - mostLines, "more line")}</div>}
    </div>
  );
}

function classOf(line: string): string {
  if (line.startsWith("+")) return "diff-new";
  return line.startsWith("-") ? "diff-old" : "";
}
