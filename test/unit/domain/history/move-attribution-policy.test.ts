// Which moves are the effect of our own commands: only moves that no other cause explains.
import { describe, expect, it } from 'vitest';
import { attributeMove, isReportedForOurs } from '../../../../src/domain/history/move-attribution-policy.ts';
import type { AccessMethod, Accessor } from '../../../../src/domain/locks/access.ts';
import type { InFlightCommand } from '../../../../src/domain/locks/evidence-policy.ts';
import type { ServiceReport } from '../../../../src/domain/webhooks/service-event.ts';

const UNDER_WAY: InFlightCommand = { target: 'secured', before: 'unsecured', from: 10_000, until: null };
const COMPLETED: InFlightCommand = { ...UNDER_WAY, until: 14_000 };
const RESIDENT: Accessor = { method: 'virtual-key', id: 'u-1', name: 'Resident' };
const OURS: Accessor = { method: 'own-command', id: 'u-1', name: null };

const move = (
  accessor: Accessor | null = RESIDENT,
  bolt: 'secured' | 'unsecured' | 'unknown' | null = 'secured',
) => ({
  type: 'bolt' as const,
  bolt,
  accessor,
  eventId: 'e-1',
  at: 12_000,
  lockId: null,
});

const FACTS = { inFlight: UNDER_WAY, subject: 'u-1', at: 12_000 };

describe('a move of ours', () => {
  it.each<[string, Partial<typeof FACTS>, Accessor]>([
    ['to the target, while the command is under way', {}, RESIDENT],
    ['that is reported as from a platform', {}, { ...RESIDENT, method: 'platform' }],
    ['that is reported in a word that is not known', {}, { ...RESIDENT, method: 'other' }],
    ['where the bolt was before is not known', { inFlight: { ...UNDER_WAY, before: 'unknown' } }, RESIDENT],
    ['reported after its end, of before', { inFlight: COMPLETED }, RESIDENT],
    ['dated a moment after we knew of its end', { inFlight: COMPLETED, at: 16_000 }, RESIDENT],
  ])(
    'is recognised %s: without the name of the person, who may not have asked for it',
    (_title, facts, by) => {
      expect(attributeMove(move(by), { ...FACTS, ...facts }).accessor).toEqual(OURS);
    },
  );
});

describe('a move that is not ours', () => {
  it.each<
    [
      string,
      Omit<Partial<typeof FACTS>, 'inFlight' | 'subject'> & {
        inFlight?: InFlightCommand | null;
        subject?: string | null;
      },
    ]
  >([
    ['with no command', { inFlight: null }],
    ['before it was sent', { at: 9_999 }],
    ['after its end', { inFlight: COMPLETED, at: 16_001 }],
    ['of a bolt that was there', { inFlight: { ...UNDER_WAY, before: 'secured' } }],
    ['the other way', { inFlight: { ...UNDER_WAY, target: 'unsecured' } }],
    ['of another person', { subject: 'u-2' }],
    ['where the token names no person', { subject: null }],
  ])('is recognised: %s', (_title, facts) => {
    expect(attributeMove(move(), { ...FACTS, ...facts }).accessor).toEqual(RESIDENT);
  });

  it.each<AccessMethod>([
    'access-code',
    'thumbturn',
    'one-touch',
    'auto-relock',
    'unlock-button',
    'lock-button',
    'schedule',
    'platform-key',
    'unavailable',
  ])('is reported as %s', (method) => {
    expect(attributeMove(move({ ...RESIDENT, method }), FACTS).accessor?.method).toBe(method);
  });

  it.each([
    ['no accessor', move(null)],
    ['no position', move(RESIDENT, null)],
    ['an unknown position', move(RESIDENT, 'unknown')],
  ])('is reported with %s', (_title, event) => {
    expect(attributeMove(event, FACTS)).toBe(event);
  });

  it('is an event of no bolt', () => {
    const other: ServiceReport = { type: 'alarm' };
    const event = { ...other, eventId: 'e-1', at: 12_000, lockId: null };
    expect(attributeMove(event, FACTS)).toBe(event);
  });
});

describe('a command of ours', () => {
  it.each([
    ['u-1', true],
    ['u-2', false],
    [null, false],
  ])('appears in the history as %s: %s', (id, same) => {
    expect(isReportedForOurs(OURS, { ...RESIDENT, id })).toBe(same);
    expect(isReportedForOurs(RESIDENT, { ...RESIDENT, id })).toBe(false);
  });

  it('without a person is no second report of a move by a person', () => {
    expect(isReportedForOurs({ ...OURS, id: null }, { ...RESIDENT, id: null })).toBe(false);
  });
});
