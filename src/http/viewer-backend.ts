import type {
  BrowseRequest,
  BrowseView,
  CodeView,
  NowView,
  SavingsView,
  SeriesView,
  SourcesView,
  StoryView,
} from "../protocol/viewer.ts";

/** What the viewer needs of the daemon beyond what everyone else asks. */
export interface ViewerBackend {
  /** The folder of the built page and its files. */
  files: URL;
  issueCode(): CodeView;
  /** The token, for a code that was issued within the last minute and not used yet. */
  redeemCode(code: string): string;
  now(): NowView;
  browse(request: BrowseRequest): Promise<BrowseView>;
  sources(observation: string): Promise<SourcesView>;
  story(session: string, before: number | undefined, limit: number): Promise<StoryView>;
  series(): SeriesView;
  savings(days: number): Promise<SavingsView>;
}
