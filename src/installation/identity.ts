// Finds the stored account that a platform block continues, by its name and its bridge; either may have been edited.

/** The name and the bridge of a platform block. Homebridge lets one bridge serve one block of ours, so a bridge names a block, too. */
export interface AccountIdentity {
  readonly name: string;
  /** The child bridge's user name; null on the main bridge. */
  readonly bridge: string | null;
}

/** A folder in which an account is stored, and the block that opened it last. */
export interface StoredAccount extends AccountIdentity {
  readonly folder: string;
  /** Wall time in milliseconds; 0 when unknown. */
  readonly openedAt: number;
}

/**
 * The folder of each block. All blocks are looked at together, so that two accounts that swap their names, or their
 * bridges, keep their links. A block without an entry is a new account.
 */
export function assignFolders(
  blocks: readonly AccountIdentity[],
  stored: readonly StoredAccount[],
): ReadonlyMap<AccountIdentity, StoredAccount> {
  const assigned = new Map<AccountIdentity, StoredAccount>();
  const isFree = (place: StoredAccount): boolean => ![...assigned.values()].includes(place);
  for (const block of blocks) {
    const same = stored.find((place) => isFree(place) && isNamed(place, block) && isOn(place, block));
    if (same !== undefined) {
      assigned.set(block, same);
    }
  }
  for (;;) {
    const open = blocks
      .filter((block) => !assigned.has(block))
      .map((block) => ({ block, places: stored.filter((place) => isFree(place) && isLike(place, block)) }))
      .filter(({ places }) => places.length > 0);
    // A block with one choice first: it would lose that to a block with two. Of two such, the one on the same bridge.
    const single = open.filter(({ places }) => places.length === 1);
    const onBridge = single.find(({ block, places }) => places.some((place) => isOn(place, block)));
    const next = onBridge ?? single[0] ?? open[0];
    const place = next && likeliest(next.block, next.places, blocks);
    if (next === undefined || place === undefined) {
      return assigned;
    }
    assigned.set(next.block, place);
  }
}

const isNamed = (place: StoredAccount, { name }: AccountIdentity): boolean => place.name === name;
const isOn = (place: StoredAccount, { bridge }: AccountIdentity): boolean => place.bridge === bridge;
const isLike = (place: StoredAccount, block: AccountIdentity): boolean =>
  isNamed(place, block) || isOn(place, block);

/** The likeliest former place of a block: one may have its name, and another its bridge. */
function likeliest(
  block: AccountIdentity,
  places: readonly StoredAccount[],
  blocks: readonly AccountIdentity[],
): StoredAccount | undefined {
  const newestFirst = places.toSorted((a, b) => b.openedAt - a.openedAt);
  const byName = newestFirst.find((place) => isNamed(place, block));
  const byBridge = newestFirst.find((place) => isOn(place, block));
  if (byName === undefined || byBridge === undefined) {
    return byName ?? byBridge;
  }
  const hasBridgeGone = !blocks.some((other) => isOn(byName, other));
  const hasNameGone = !blocks.some((other) => isNamed(byBridge, other));
  if (hasBridgeGone && hasNameGone) {
    // The block was renamed or moved to another bridge; the other place is left over from earlier.
    return byName.openedAt > byBridge.openedAt ? byName : byBridge;
  }
  // Where both are in use, names were swapped. Home assigns rooms and automations per bridge, so the bridge decides.
  return hasBridgeGone ? byName : byBridge;
}
