// Reads where locks are shown, in HomeKit or over Matter, and whether an account's bridge has Matter turned on.

import { type Message, message } from '../../../domain/language/message.ts';
import { memberOf } from '../../../support/text/foreign-json.ts';

/** `off`: HomeKit only. `only`: Matter only. */
export type MatterChoice = 'off' | 'both' | 'only';

interface MatterOptions {
  readonly matter: MatterChoice;
  readonly locks: ReadonlyMap<string, { readonly matter?: MatterChoice | undefined }>;
}

/** The choice for one lock: its own, else the account's. */
export function matterChoice({ matter, locks }: MatterOptions, lockId: string): MatterChoice {
  return locks.get(lockId)?.matter ?? matter;
}

export function wantsMatter({ matter, locks }: MatterOptions): boolean {
  return (
    matter !== 'off' || [...locks.values()].some((row) => row.matter !== undefined && row.matter !== 'off')
  );
}

/** Matter on an account's bridge. `main-bridge`: locks are not shown over Matter there, on or off. */
export type MatterBridge = 'on' | 'off' | 'main-bridge';

/** Reads a platform block of config.json, in which Homebridge keeps the settings of a child bridge. */
export function matterBridgeOf(block: Readonly<Record<string, unknown>>): MatterBridge {
  const bridge = block['_bridge'];
  if (bridge === undefined || bridge === null) {
    return 'main-bridge';
  }
  const matter = memberOf(bridge, 'matter');
  const isOn =
    typeof matter === 'object' &&
    matter !== null &&
    memberOf(matter, 'enabled') !== false &&
    memberOf(matter, 'externalsOnly') !== true;
  return isOn ? 'on' : 'off';
}

/** Why locks are not shown over Matter, and the remedy: each one sentence or two. */
export interface MatterObstacle {
  readonly why: Message;
  readonly advice: Message;
}

/**
 * On the main bridge, Homebridge answers controllers before plugins have started: they would read a position from before
 * the restart.
 */
export function matterObstacle(bridge: Exclude<MatterBridge, 'on'>): MatterObstacle {
  return bridge === 'main-bridge'
    ? {
        why: message(
          'Matter is not available on the main bridge, where controllers could read old lock states after a restart.',
        ),
        advice: message(
          'Move the plugin to a child bridge (Homebridge UI, Bridge Settings of the plugin), and turn Matter on there.',
        ),
      }
    : {
        why: message('Matter is turned off for the bridge of this account.'),
        advice: message(
          'Turn Matter on in the Bridge Settings of the plugin (Homebridge UI), then restart Homebridge.',
        ),
      };
}

/** Whether a platform block enables Matter, for the account or for a single lock, even with faults elsewhere. */
export function asksForMatter({ matter, locks }: Readonly<Record<string, unknown>>): boolean {
  const rows: readonly unknown[] = Array.isArray(locks) ? locks : [];
  return [matter, ...rows.map((row) => memberOf(row, 'matter'))].some(
    (choice) => choice === 'both' || choice === 'only',
  );
}

/** Null without an obstacle, or when no lock of the platform block uses Matter. */
export function matterObstacleIn(block: Readonly<Record<string, unknown>>): MatterObstacle | null {
  const bridge = asksForMatter(block) ? matterBridgeOf(block) : 'on';
  return bridge === 'on' ? null : matterObstacle(bridge);
}
