/** A stretch of text to hide, and what it is. */
export interface Finding {
  start: number;
  end: number;
  kind: string;
  /** Others that were found with it, after it and in order. */
  more?: readonly Finding[];
}
