// A lock as the panel shows it, for tests that need one with a member or two of their own.
import { lockId } from '../../../../src/domain/locks/lock.ts';
import type { LockView } from '../../../../src/panel/views/lock.ts';

export function lockView(name: string, changes: Partial<LockView> = {}): LockView {
  return {
    id: lockId(`id-of-${name}`),
    description: { name, model: 'Model-D1', serial: '0000A1B2C3', firmware: '10.21.0', role: 'owner' },
    bolt: 'secured',
    confirmedAt: 0,
    lastCommand: null,
    target: null,
    presence: 'reachable',
    battery: { grade: 'normal', percent: 87 },
    leftUnlockedSince: null,
    lastMove: null,
    ...changes,
  };
}
