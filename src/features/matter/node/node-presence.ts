// Watches whether apps can reach this bridge's Matter node: only then do locks that are to be over Matter alone leave HomeKit.

import { message } from '../../../domain/language/message.ts';
import type { CancelTimer, Clock } from '../../../support/clock.ts';
import type { Log } from '../../../support/log.ts';
import { isObject, memberOf } from '../../../support/text/foreign-json.ts';
import { t } from '../../../words/translate.ts';
import type { LockEndpoint } from './matter-api.ts';
import type { MatterNodeState } from './node-state.ts';

/** A node may be away for this long, also at the start, before its locks are shown in HomeKit (our choice, faults#128). */
const GRACE_MS = 60_000;

/** An endpoint is nested in the bridge, and that in the node. */
const MOST_OWNERS = 8;

const AWAY_WORDS = {
  offline: message(
    'Matter is not running on this bridge, so locks with {option} are shown in HomeKit. The log of Homebridge says why; often its port is taken.',
    { option: '"matter": "only"' },
  ),
  'not-added': message(
    'No app has added the Matter bridge, so locks with {option} are shown in HomeKit. Add it with its code in the Homebridge UI.',
    { option: '"matter": "only"' },
  ),
} as const;

interface Happening {
  on(listener: () => void): void;
}

/** Public part of matter.js's `NodeLifecycle`. */
interface NodeLifecycle {
  readonly isOnline: boolean;
  readonly isCommissioned: boolean;
  readonly online: Happening;
  readonly offline: Happening;
  readonly commissioned: Happening;
  readonly decommissioned: Happening;
}

export class NodePresence {
  readonly #parts;
  readonly #listeners = new Set<() => void>();
  #node: NodeLifecycle | null = null;
  #isOnline = false;
  #isCommissioned = false;
  #state: MatterNodeState = 'starting';
  #cancelGrace: CancelTimer | null = null;

  constructor(parts: {
    readonly clock: Clock;
    readonly log: Log;
    /** Whether there is a lock that is to be over Matter alone: nobody else misses the node. */
    readonly hasOnlyLocks: () => boolean;
  }) {
    this.#parts = parts;
    this.#waitForNode();
  }

  get state(): MatterNodeState {
    return this.#state;
  }

  /** Whether a lock may be out of HomeKit. `wasInHome`: at the start it stays where it was before. */
  takesOver(wasInHome: boolean): boolean {
    return this.#state === 'reachable' || (this.#state === 'starting' && !wasInHome);
  }

  /** Calls `listener` when `takesOver` may have changed, until the returned function is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Any endpoint leads to its node, which is the same for all. */
  watch(endpoint: LockEndpoint): void {
    const node = nodeOf(endpoint);
    if (node === null || node === this.#node) {
      return;
    }
    this.#node = node;
    this.#isOnline = node.isOnline;
    this.#isCommissioned = node.isCommissioned;
    const follow = (happening: Happening, change: () => void): void => {
      happening.on(() => {
        change();
        this.#judge();
      });
    };
    follow(node.online, () => {
      this.#isOnline = true;
    });
    follow(node.offline, () => {
      this.#isOnline = false;
    });
    follow(node.commissioned, () => {
      this.#isCommissioned = true;
    });
    follow(node.decommissioned, () => {
      this.#isCommissioned = false;
    });
    this.#judge();
  }

  dispose(): void {
    this.#listeners.clear();
    this.#cancelGrace?.();
    this.#cancelGrace = null;
  }

  #judge(): void {
    if (this.#isOnline && this.#isCommissioned) {
      this.#cancelGrace?.();
      this.#cancelGrace = null;
      this.#become('reachable');
    } else if (this.#state === 'reachable') {
      this.#waitForNode();
    }
  }

  #waitForNode(): void {
    this.#cancelGrace ??= this.#parts.clock.after(GRACE_MS, () => {
      this.#cancelGrace = null;
      this.#become(this.#isOnline ? 'not-added' : 'offline');
    });
  }

  #become(state: MatterNodeState): void {
    if (state === this.#state) {
      return;
    }
    this.#state = state;
    if ((state === 'offline' || state === 'not-added') && this.#parts.hasOnlyLocks()) {
      this.#parts.log.warn(t(AWAY_WORDS[state]));
    }
    for (const listener of this.#listeners) {
      listener();
    }
  }
}

/** Null where this Homebridge has another interface: its locks stay in HomeKit. */
function nodeOf(endpoint: LockEndpoint): NodeLifecycle | null {
  let root: unknown = endpoint;
  for (let depth = 0; depth < MOST_OWNERS && isObject(root); depth += 1) {
    const owner = memberOf(root, 'owner');
    if (!isObject(owner)) {
      break;
    }
    root = owner;
  }
  const lifecycle = memberOf(root, 'lifecycle');
  return isNodeLifecycle(lifecycle) ? lifecycle : null;
}

function isNodeLifecycle(value: unknown): value is NodeLifecycle {
  const flags = ['isOnline', 'isCommissioned'].every((name) => typeof memberOf(value, name) === 'boolean');
  const happenings = ['online', 'offline', 'commissioned', 'decommissioned'];
  return flags && happenings.every((name) => typeof memberOf(memberOf(value, name), 'on') === 'function');
}
