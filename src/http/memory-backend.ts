import type * as z from "zod";
import type { BlameRequest, BlameView } from "../protocol/blame.ts";
import type {
  ContextRequest,
  ContextView,
  DayView,
  InjectionView,
  ObservationCreate,
  ObservationView,
  observationPatch,
  ProjectView,
  projectPatch,
  SearchRequest,
  SearchResult,
  TimelineView,
} from "../protocol/memory.ts";

/** What the memory routes need of the daemon. */
export interface MemoryBackend {
  search(request: SearchRequest): Promise<SearchResult[]>;
  timeline(around: string, count: number): TimelineView;
  save(observation: ObservationCreate): ObservationView;
  list(project: string | undefined, limit: number): ObservationView[];
  get(id: string): ObservationView;
  edit(id: string, patch: z.infer<typeof observationPatch>): ObservationView;
  /** Newest pin first; of all projects, or of those named so. */
  pinned(project: string | undefined): ObservationView[];
  /** The context of a session that starts now. */
  context(request: ContextRequest): ContextView;
  injections(session: string): InjectionView[];
  projects(): ProjectView[];
  setProject(id: string, patch: z.infer<typeof projectPatch>): ProjectView;
  day(from: number): DayView;
  blame(request: BlameRequest): Promise<BlameView>;
}
