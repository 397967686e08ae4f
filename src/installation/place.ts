// Finds an account's folder, which stays the same when its platform block is renamed.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accountBlocks, childBridgeOf } from '../config/account-blocks.ts';
import type { Config } from '../config/config.ts';
import { currentUser, giveToFolderOwner } from '../support/files/file-owner.ts';
import { isObject, memberOf } from '../support/text/foreign-json.ts';
import { type AccountIdentity, assignFolders, type StoredAccount } from './identity.ts';

export interface AccountPlace {
  readonly folder: string;
  readonly databaseFile: string;
  /** The child bridge of the block; null on the main bridge. */
  readonly bridge: string | null;
  /** The name under which the account was opened last, when it is another one now. */
  readonly formerName: string | null;
  /** For a new account: the names of stored accounts that no block continues. Their blocks were removed, or edited too far. */
  readonly leftBehind: readonly string[];
}

/** Identifies the block. `bridge` null or left out: not known, since Homebridge hides it from the process of a child bridge. */
export type PlacedBlock = Pick<Config, 'name' | 'storagePath'> & Partial<Pick<Config, 'bridge' | 'demo'>>;

/** The plugin's folder under Homebridge's storage path, unless the configuration names another. */
const PLUGIN_FOLDER = 'latchkey';
/** Apart, so that a demo never opens the database of an account. */
const DEMO_FOLDER = 'latchkey-demo';
const DATABASE = 'latchkey.db';
/** Names the block that opened the account last. */
const MARKER = 'account.json';

/**
 * The place of one platform block. The other blocks of config.json are looked at as well: a name that was given to another
 * block must not take that account along.
 */
export function accountPlace(homebridgeFolder: string, block: PlacedBlock): AccountPlace {
  const { name, storagePath, demo = false } = block;
  const pluginFolder = storagePath ?? join(homebridgeFolder, demo ? DEMO_FOLDER : PLUGIN_FOLDER);
  const onDisk = blocksOnDisk(homebridgeFolder, storagePath);
  const bridge = block.bridge ?? bridgeNamed(name, onDisk, pluginFolder);
  const own: AccountIdentity = { name, bridge };
  const blocks = withOwn(own, onDisk);
  const stored = storedAccounts(pluginFolder);
  const assigned = assignFolders(blocks, stored);
  const known = assigned.get(own);
  const folder = known?.folder ?? newFolder(pluginFolder, name);
  const formerName = known === undefined || known.name === name ? null : known.name;
  const continued = new Set(assigned.values());
  const isNew = known === undefined && !demo;
  const leftBehind = isNew ? stored.filter((place) => !continued.has(place)).map((place) => place.name) : [];
  return { folder, databaseFile: join(folder, DATABASE), bridge, formerName, leftBehind };
}

/** Notes in the account's folder which block opened it. If the disk is full, the next start notes it. */
export function markAccount(folder: string, { name, bridge = null }: PlacedBlock, openedAt: number): void {
  const draft = join(folder, `${MARKER}.${process.pid}`);
  try {
    writeFileSync(draft, `${JSON.stringify({ name, bridge, openedAt })}\n`, { mode: 0o600 });
    giveToFolderOwner(draft, currentUser());
    renameSync(draft, join(folder, MARKER));
  } catch {
    // The account itself can be used without it.
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The bridge of the block with this name; of one that was renamed meanwhile, the bridge on which it was opened last. */
function bridgeNamed(name: string, onDisk: readonly AccountIdentity[], pluginFolder: string): string | null {
  const named = onDisk.filter((block) => block.name === name);
  const known =
    named.length > 0 ? named : storedAccounts(pluginFolder).filter((place) => place.name === name);
  return known.length === 1 ? (known[0]?.bridge ?? null) : null;
}

/** A process may run with an older block than config.json holds: its successor there is not another one. */
function withOwn(own: AccountIdentity, blocks: readonly AccountIdentity[]): readonly AccountIdentity[] {
  const index = blocks.findIndex(({ name, bridge }) => name === own.name && bridge === own.bridge);
  return index === -1
    ? [own, ...blocks.filter(({ name, bridge }) => name !== own.name && bridge !== own.bridge)]
    : blocks.with(index, own);
}

/** The blocks of config.json that store their accounts in the same place. */
function blocksOnDisk(homebridgeFolder: string, storagePath: string | null): readonly AccountIdentity[] {
  return accountBlocks(jsonIn(join(homebridgeFolder, 'config.json')))
    .filter(({ block }) => {
      const path = memberOf(block['storage'], 'path');
      return (typeof path === 'string' && path.trim() !== '' ? path : null) === storagePath;
    })
    .map(({ name, block }) => ({ name, bridge: childBridgeOf(block) }));
}

function storedAccounts(pluginFolder: string): readonly StoredAccount[] {
  return foldersIn(pluginFolder).flatMap((folder) => {
    const { name, bridge, openedAt } = jsonIn(join(folder, MARKER));
    const on = typeof bridge === 'string' ? bridge : null;
    return typeof name === 'string' ? [{ folder, name, bridge: on, openedAt: Number(openedAt) || 0 }] : [];
  });
}

function foldersIn(path: string): readonly string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(path, entry.name))
      .sort();
  } catch {
    // An absent or unreadable folder: opening the account reports the fault.
    return [];
  }
}

function jsonIn(path: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** A former account may keep the folder of its first name. */
function newFolder(pluginFolder: string, name: string): string {
  const first = folderFor(pluginFolder, name);
  let folder = first;
  for (let number = 2; existsSync(join(folder, MARKER)); number += 1) {
    folder = `${first}-${number}`;
  }
  return folder;
}

/**
 * Readable where the name allows it, and always unique: names that differ only in letter case, or in characters that a
 * file system cannot write, still get separate folders.
 */
function folderFor(pluginFolder: string, name: string): string {
  const readable = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 32)
    .replaceAll(/^-|-$/g, '');
  const unique = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return join(pluginFolder, readable === '' ? unique : `${readable}-${unique}`);
}
