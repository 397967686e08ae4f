// The name that a person gives a lock in an app, which Homebridge would replace by its own at each start.
import type { LockId } from '../../../domain/locks/lock.ts';
import { memberOf } from '../../../support/text/foreign-json.ts';
import type { CommandContext, LockEndpoint } from './matter-api.ts';

/** What persons call the locks in their apps, over restarts. Never throws. */
export interface LabelStore {
  read(id: LockId): string | null;
  save(id: LockId, label: string): void;
  erase(id: LockId): void;
}

type LabelListener = (label: unknown, before: unknown, context: CommandContext | undefined) => void;

/** Calls `listener` with each label that a controller writes to this lock; Homebridge's own come from no fabric. */
export async function followLabel(endpoint: LockEndpoint, listener: (label: string) => void): Promise<void> {
  await endpoint.construction;
  const information = memberOf(endpoint.events, 'bridgedDeviceBasicInformation');
  const changed = memberOf(information, 'nodeLabel$Changed');
  if (isObservable(changed)) {
    changed.on((label, _before, context) => {
      if (typeof label === 'string' && context?.fabric !== undefined) {
        listener(label);
      }
    });
  }
}

function isObservable(value: unknown): value is { on(listener: LabelListener): void } {
  return typeof memberOf(value, 'on') === 'function';
}
