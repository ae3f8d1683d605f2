import { readFileSync, realpathSync } from "node:fs";

interface Mount {
  point: string;
  type: string;
}

/** File systems without reliable locks and shared memory, which SQLite's WAL needs. */
const remote =
  /^(?:nfs\d?|cifs|smb\d?|smbfs|9p|afs|afpfs|ncpfs|coda|ceph|glusterfs|lustre|virtiofs|gpfs|vboxsf|prl_fs|drvfs|webdav|davfs|fuse\.(?!fuse-overlayfs)\S+)$/;

/** The file system type of a path; undefined if unknown. */
export function findFileSystem(path: string): string | undefined {
  if (process.platform === "win32") return path.startsWith("\\\\") ? "smb" : undefined;
  if (process.platform !== "linux") return undefined;
  return findMount(readMounts(readFileSync("/proc/self/mountinfo", "utf8")), realpathSync(path))?.type;
}

export function isRemote(type: string): boolean {
  return remote.test(type);
}

/** Lines such as `36 35 98:0 / /home rw,noatime shared:1 - nfs4 host:/export rw`. */
export function readMounts(mountinfo: string): Mount[] {
  return mountinfo.split("\n").flatMap((line) => {
    const [before = "", after = ""] = line.split(" - ");
    const point = before.split(" ")[4];
    const [type] = after.split(" ");
    return point && type ? [{ point: unescape(point), type }] : [];
  });
}

/** The innermost mount that contains the path; of several on one mount point, the last. */
export function findMount(mounts: readonly Mount[], path: string): Mount | undefined {
  return mounts
    .filter(({ point }) => point === "/" || path === point || path.startsWith(`${point}/`))
    .reduce<Mount | undefined>(
      (best, mount) => (best && best.point.length > mount.point.length ? best : mount),
      undefined,
    );
}

/** Spaces and some other characters are octal escapes. */
function unescape(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_whole, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}
