import { MatrixError, refuse } from "./errors.ts";
import type { Method, Route } from "./route.ts";

interface Match {
  route: Route;
  params: Record<string, string>;
}

/** Finds a route by method and path. `M_UNRECOGNIZED` with 404 for an unknown path, 405 for an unsupported method. */
export type Router = (method: string, path: string) => Match;

interface Node {
  children: Map<string, Node>;
  parameter: { name: string; node: Node } | undefined;
  routes: Map<string, Route>;
}

export function makeRouter(routes: readonly Route[]): Router {
  const root = makeNode();
  for (const route of routes) insert(root, route);
  return (method, path) => {
    const segments = decode(normalise(path));
    const params: Record<string, string> = {};
    const node = find(root, segments, 1, params) ?? findWithoutSlash(root, segments, params);
    if (!node) refuse("M_UNRECOGNIZED", "There is no such endpoint.");
    const route = node.routes.get(method === "HEAD" ? "GET" : method);
    if (!route)
      throw new MatrixError("M_UNRECOGNIZED", "This endpoint does not support the method.", { status: 405 });
    return { route, params };
  };
}

function makeNode(): Node {
  return { children: new Map(), parameter: undefined, routes: new Map<Method, Route>() };
}

function insert(root: Node, route: Route): void {
  let node = root;
  for (const segment of route.path.split("/").slice(1)) {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name === undefined) {
      const next = node.children.get(segment) ?? makeNode();
      node.children.set(segment, next);
      node = next;
    } else {
      node.parameter ??= { name, node: makeNode() };
      node = node.parameter.node;
    }
  }
  node.routes.set(route.method, { ...route });
}

/** Endpoints that older clients call under `/unstable`. */
const unstableNames = ["keys", "room_keys", "user_directory", "sendToDevice", "devices", "delete_devices"];
const oldClientPath = new RegExp(
  `^/_matrix/client/(?:r0/|unstable/(?=(?:${unstableNames.join("|")})(?:/|$)))`,
);

/** The room summary before it became part of the specification. */
const oldSummaryPath =
  /^\/_matrix\/client\/unstable\/im\.nheko\.summary\/(?:summary|rooms)\/([^/]+)(?:\/summary)?$/;

/** Maps older paths to the current ones. */
function normalise(path: string): string {
  return path
    .replace(oldClientPath, "/_matrix/client/v3/")
    .replace(oldSummaryPath, "/_matrix/client/v1/room_summary/$1")
    .replace(/^\/_matrix\/media\/(?:r0|v1)\/(?!create$)/, "/_matrix/media/v3/");
}

function decode(path: string): string[] {
  try {
    return path.split("/").map((segment) => (segment.includes("%") ? decodeURIComponent(segment) : segment));
  } catch (cause) {
    throw new MatrixError("M_INVALID_PARAM", "The path is not valid percent-encoding.", { cause });
  }
}

function find(
  node: Node,
  segments: string[],
  index: number,
  params: Record<string, string>,
): Node | undefined {
  if (index === segments.length) return node.routes.size > 0 ? node : undefined;
  const segment = segments[index] as string;
  const child = node.children.get(segment);
  const found = child && find(child, segments, index + 1, params);
  if (found || !node.parameter) return found;
  // Only the last parameter may be empty: it is the empty state key.
  if (segment === "" && index < segments.length - 1) return undefined;
  const inner = find(node.parameter.node, segments, index + 1, params);
  if (inner) params[node.parameter.name] = segment;
  return inner;
}

function findWithoutSlash(root: Node, segments: string[], params: Record<string, string>): Node | undefined {
  return segments.at(-1) === "" ? find(root, segments.slice(0, -1), 1, params) : undefined;
}
