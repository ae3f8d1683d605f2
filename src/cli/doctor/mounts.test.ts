import { describe, expect, test } from "vitest";
import { isRemote, findMount, readMounts } from "./mounts.ts";

const mounts = readMounts(`22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 22 0:44 / /home rw,nosuid - nfs4 server:/export rw
31 30 0:45 / /home/ada/remote\\040work rw - fuse.sshfs ada@host:/ rw
32 22 0:46 / /mnt/c rw - 9p drvfs rw
33 22 0:47 / /mnt/disk rw - fuseblk /dev/sdb1 rw
34 22 0:48 / /mnt/disk rw - ext4 /dev/sdc1 rw`);

describe("the file system of a path", () => {
  test.each([
    ["/var/lib", "ext4", false],
    ["/home/ada/.rookery", "nfs4", true],
    ["/home/ada/remote work/.rookery", "fuse.sshfs", true],
    ["/homes/ada", "ext4", false],
    ["/mnt/c/Users/ada", "9p", true],
    ["/mnt/disk/x", "ext4", false],
  ])("%s is on %s", (path, type, away) => {
    expect(findMount(mounts, path)?.type).toBe(type);
    expect(isRemote(type)).toBe(away);
  });

  test.each(["ext4", "btrfs", "xfs", "zfs", "overlay", "tmpfs", "apfs", "fuseblk", "fuse.fuse-overlayfs"])(
    "%s is local",
    (type) => expect(isRemote(type)).toBe(false),
  );

  test.each(["nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs", "fuse.rclone", "vboxsf", "ceph"])(
    "%s is remote",
    (type) => expect(isRemote(type)).toBe(true),
  );
});
