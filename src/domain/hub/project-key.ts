/**
 * The address of a remote without user, protocol, port and suffix, so that ssh and https clones propose the same
 * project: `github.com/acme/api`. Undefined for a local path.
 */
export function normaliseRemote(remote: string): string | undefined {
  const text = remote.trim();
  const [, host, path] =
    /^[a-z][a-z0-9+.-]*:\/\/(?:[^@/]*@)?([^/:]+)(?::\d+)?\/(.+)$/i.exec(text) ??
    /^(?:[^@/\s]+@)?([^/:\s]+):(?!\/\/)(.+)$/.exec(text) ??
    [];
  if (host === undefined || path === undefined || host.length === 1) return undefined; // A drive letter.
  if (/^file:/i.test(text)) return undefined;
  const clean = path
    .replace(/^\/+|\/+$/g, "")
    .replace(/\.git$/i, "")
    .toLowerCase();
  return clean === "" ? undefined : `${host.toLowerCase()}/${clean}`;
}
