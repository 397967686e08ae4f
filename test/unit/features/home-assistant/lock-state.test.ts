// The state of a lock in its message.
import { describe, expect, it } from 'vitest';
import type { RuntimeLinkState } from '../../../../src/domain/account/account.ts';
import { type Lock, unknownLock } from '../../../../src/domain/locks/lock.ts';
import { advanceLock } from '../../../../src/domain/locks/machine.ts';
import { EVENT_TYPES } from '../../../../src/features/home-assistant/broker/lock-events.ts';
import { isAvailable, stateOf } from '../../../../src/features/home-assistant/broker/lock-state.ts';
import { viewOf } from '../../../../src/panel/views/lock.ts';
import { describedAs, FRONT } from '../../../stand-ins/account/runtime.ts';
import { projectText } from '../../../support/document-block.ts';

const AT = Date.UTC(2026, 3, 14, 12);
const lowPercent = 20;

function front(changes: Partial<Lock> = {}): Lock {
  const lock = unknownLock(FRONT, describedAs('Front door'));
  const polled = advanceLock(lock, {
    type: 'reported',
    source: 'poll',
    at: AT,
    bolt: 'secured',
    connected: true,
    battery: { grade: 'normal', percent: 87 },
    wifiDbm: -58,
  });
  return { ...polled, ...changes };
}

const says = (lock: Lock, link: RuntimeLinkState = 'linked', wasLow = false, isPresenceFresh = true) =>
  stateOf({ lock, link, name: 'Front door', lowPercent, wasLow, isPresenceFresh });

describe('the state of a lock', () => {
  it('follows the evidence', () => {
    expect(says(front())).toEqual({
      name: 'Front door',
      state: 'locked',
      target: null,
      confirmed_at: '2026-04-14T12:00:00.000Z',
      moved_to: null,
      moved_by: null,
      moved_how: null,
      moved_at: null,
      last_moved_by: null,
      online: true,
      jammed: false,
      battery: 87,
      battery_low: false,
      wifi_dbm: -58,
    });
  });

  it('names no instant for a position whose age the service does not tell', () => {
    const lock = unknownLock(FRONT, describedAs('Shed'));
    const offline = { bolt: 'secured', connected: false, boltAt: 0, at: AT, source: 'poll' } as const;
    const battery = { grade: 'normal', percent: 87 } as const;
    const reported = advanceLock(lock, { type: 'reported', ...offline, battery, wifiDbm: null });
    expect(says(reported).confirmed_at).toBeNull();
    expect(viewOf(reported).confirmedAt).toBeNull();
  });

  it.each([
    ['before anything was said', unknownLock(FRONT, describedAs('Front door')), 'linked'],
    ['while the service cannot reach it', front({ presence: 'offline' }), 'linked'],
    ['when the account no longer lists it', front({ presence: 'missing' }), 'linked'],
    ['when the evidence is stale', front({ belief: { ...front().belief, stale: true } }), 'linked'],
    ['without a link', front(), 'revoked'],
    ['while another process owns the account', front(), 'other-process'],
  ] as const)('is unknown %s, and the lock unavailable', (_, lock, link) => {
    expect(says(lock, link).state).toBe('unknown');
    expect(isAvailable(lock, link)).toBe(false);
  });

  it('says that the lock is offline as long as the service does, however old the position is', () => {
    const old = { ...front().belief, stale: true };
    const offline = front({ presence: 'offline', belief: old });
    expect(says(offline)).toMatchObject({ state: 'unknown', online: false });
    expect(says(offline, 'linked', false, false).online).toBeNull();
    expect(says(offline, 'revoked').online).toBeNull();
    expect(says(front({ belief: old })).online).toBeNull();
  });

  it('is on its way while a command to another position is', () => {
    expect(says(front({ target: 'unsecured' }))).toMatchObject({ state: 'unlocking', target: 'unlocked' });
    expect(says(front({ target: 'secured' }))).toMatchObject({ state: 'locked', target: 'locked' });
  });

  it('is a jam, with or without a command', () => {
    const jammed = advanceLock(front(), { type: 'reported', source: 'event', at: AT + 1, bolt: 'jammed' });
    expect(says({ ...jammed, target: 'secured' })).toMatchObject({ state: 'jammed', jammed: true });
  });

  it('names the mover, unless the name may be a code', () => {
    const by = { method: 'access-code', id: '7', name: 'Ann' } as const;
    const moved = front({ lastMove: { to: 'unsecured', at: AT, by } });
    expect(says(moved)).toMatchObject({ moved_to: 'unlocked', moved_by: 'Ann', moved_how: 'access-code' });
    const secret = front({ lastMove: { to: 'unsecured', at: AT, by: { ...by, name: 'code 4711' } } });
    expect(JSON.stringify(says(secret))).not.toContain('4711');
  });

  it('keeps a low battery low between the lowPercent, and leaves out unknown values', () => {
    const between = front({ battery: { grade: 'normal', percent: 22 } });
    expect(says(between, 'linked', true).battery_low).toBe(true);
    expect(says(between, 'linked', false).battery_low).toBe(false);
    expect(says(front({ battery: { grade: 'unknown', percent: null } }))).toMatchObject({
      battery: null,
      battery_low: null,
    });
  });
});

describe('docs/operate/mqtt.md', () => {
  it('names every member of the state and every kind of event', () => {
    const document = projectText('docs/operate/mqtt.md');
    const names = [...Object.keys(says(front())), ...EVENT_TYPES];
    expect(names.filter((name) => !document.includes(`\`${name}\``))).toEqual([]);
  });
});
