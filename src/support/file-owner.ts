// Who may own the files of an account: the user of this process; root may use any and gives what it makes to the folder's owner.
import { lchownSync, lstatSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';

/** A user id; undefined on Windows, which has no such owners. */
export type User = number | undefined;

const ROOT = 0;

export const currentUser = (): User => process.geteuid?.();

/**
 * In a container, root often runs Homebridge in a folder of another user. That user decides what code Homebridge loads
 * there, so root loses nothing by trusting it.
 */
export function mayUse({ uid }: Stats, user: User): boolean {
  return user === undefined || user === ROOT || uid === user;
}

/** Gives what root made to the owner of its folder, so that a process of that user can use it as well. */
export function giveToFolderOwner(path: string, user: User): void {
  if (user !== ROOT) {
    return;
  }
  const { uid, gid } = lstatSync(dirname(path));
  if (uid === ROOT) {
    return;
  }
  try {
    lchownSync(path, uid, gid);
  } catch {
    // Some containers and network disks forbid it. Root can use the file all the same.
  }
}
