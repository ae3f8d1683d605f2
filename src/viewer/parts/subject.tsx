import type { QuestionView } from "../../protocol/ask.ts";
import { formatCount, revealInvisible } from "../data/format.ts";
import { Prose } from "./text.tsx";

const maxLines = 400;

/** The command, edit or plan to approve. */
export function Subject({ subject }: { subject: NonNullable<QuestionView["subject"]> }) {
  const { format, text, hiddenSecrets } = subject;
  return (
    <>
      {format === "diff" ? (
        <Diff text={text} />
      ) : (
        <Prose class={format === "markdown" ? "prose plan" : "code"} text={text} />
      )}
      {hiddenSecrets > 0 && <p class="faint">{formatCount(hiddenSecrets, "secret")} hidden</p>}
    </>
  );
}

/** The path of the file, then the removed and added lines. */
function Diff({ text }: { text: string }) {
  const lines = text.split("\n");
  const [path = "", ...changes] = lines.slice(0, maxLines);
  return (
    <div class="code diff">
      <div class="diff-path">{revealInvisible(path)}</div>
      {changes.map((line, index) => (
        <div key={index} class={classOf(line)}>
          {revealInvisible(line)}
        </div>
      ))}
      {lines.length > maxLines && <div>… {formatCount(lines.length - maxLines, "more line")}</div>}
    </div>
  );
}

function classOf(line: string): string {
  if (line.startsWith("+")) return "diff-new";
  return line.startsWith("-") ? "diff-old" : "";
}
