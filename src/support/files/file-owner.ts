// Decides file ownership: files belong to the process's user; root may use any, and gives new ones to the folder's
// owner.
import { lchownSync, lstatSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';

/** A user id; undefined on Windows, which has none. */
export type User = number | undefined;

const ROOT = 0;

export const currentUser = (): User => process.geteuid?.();

/**
 * In a container, root often runs Homebridge in a folder of another user. That user controls the code that Homebridge
 * loads there, so trusting the user costs root nothing.
 */
export function mayUse({ uid }: Pick<Stats, 'uid'>, user: User): boolean {
  return user === undefined || user === ROOT || uid === user;
}

/** Gives root's file to the owner of its folder, so that a process of that user can use it as well. */
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
    // Some containers and network disks forbid it. Root can still use the file.
  }
}
