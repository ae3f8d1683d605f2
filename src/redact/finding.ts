/** A range of text to hide, and its kind. */
export interface Finding {
  start: number;
  end: number;
  kind: string;
  /** Further findings of the same match, after it and in order. */
  more?: readonly Finding[];
}
