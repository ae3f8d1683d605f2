/** A stretch of text to hide, and what it is. */
export interface Finding {
  start: number;
  end: number;
  kind: string;
}
