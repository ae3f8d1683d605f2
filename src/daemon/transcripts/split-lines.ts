/** A line of a file, or the length of one that was not buffered. `length` is in bytes, newline included. */
export type SplitLine =
  | { kind: "whole"; bytes: Buffer; length: number }
  | { kind: "blank"; length: number }
  | { kind: "unwanted"; lastByte: number; length: number }
  | { kind: "too-long"; length: number };

interface LineSplitter {
  /** Bytes of a `whole` line may be part of the chunk: use them before the chunk is written to again. */
  push(chunk: Buffer): Iterable<SplitLine>;
  /** The buffered start of a line whose end was not read yet; undefined if that line is not wanted. */
  rest(): Buffer | undefined;
}

interface SplitOptions {
  maxLineBytes: number;
  /** Decides by the first bytes of a line whether to buffer the rest. */
  isWanted(head: Buffer): boolean;
  headBytes: number;
}

const newline = 0x0a;
const carriageReturn = 0x0d;

/** Splits chunks into lines. Buffers at most one line, and almost nothing of a line that is unwanted or too long. */
export function openLineSplitter({ maxLineBytes, isWanted, headBytes }: SplitOptions): LineSplitter {
  let parts: Buffer[] = [];
  let length = 0;
  let lastByte = 0;
  let state: "held" | "unwanted" | "too-long" = "held";

  function bufferPiece(piece: Buffer): void {
    if (piece.length === 0) return;
    length += piece.length;
    lastByte = lastVisible(piece) ?? lastByte;
    if (state !== "held") return;
    parts.push(Buffer.from(piece));
    if (length > maxLineBytes) state = "too-long";
    else if (length >= headBytes && !isWanted(firstPart())) state = "unwanted";
    if (state !== "held") parts = [];
  }

  function firstPart(): Buffer {
    if ((parts[0]?.length ?? 0) < headBytes) parts = [Buffer.concat(parts)];
    return parts[0] ?? Buffer.alloc(0);
  }

  function finish(piece: Buffer): SplitLine {
    if (length === 0) return judge(piece, piece.length + 1);
    bufferPiece(piece);
    const fullLength = length + 1;
    const line: SplitLine =
      state === "held"
        ? judge(Buffer.concat(parts), fullLength)
        : state === "unwanted"
          ? { kind: "unwanted", lastByte, length: fullLength }
          : { kind: "too-long", length: fullLength };
    [parts, length, lastByte, state] = [[], 0, 0, "held"];
    return line;
  }

  function judge(bytes: Buffer, fullLength: number): SplitLine {
    if (bytes.length > maxLineBytes) return { kind: "too-long", length: fullLength };
    const last = lastVisible(bytes);
    if (last === undefined) return { kind: "blank", length: fullLength };
    if (!isWanted(bytes)) return { kind: "unwanted", lastByte: last, length: fullLength };
    return { kind: "whole", bytes, length: fullLength };
  }

  return {
    *push(chunk) {
      let from = 0;
      for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
        const piece = chunk.subarray(from, end);
        from = end + 1;
        yield finish(piece);
      }
      bufferPiece(chunk.subarray(from));
    },
    rest: () => (state === "held" && length > 0 ? Buffer.concat(parts) : undefined),
  };
}

function lastVisible(bytes: Buffer): number | undefined {
  const last = bytes.at(-1);
  return last === carriageReturn ? bytes.at(-2) : last;
}
