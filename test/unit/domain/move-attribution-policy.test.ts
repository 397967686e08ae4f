// Which moves are the effect of our own commands: only what nobody else can have done.
import { describe, expect, it } from 'vitest';
import type { AccessMethod, Accessor } from '../../../src/domain/access.ts';
import type { InFlightCommand } from '../../../src/domain/evidence-policy.ts';
import { attributeMove, isReportedForOurs } from '../../../src/domain/move-attribution-policy.ts';
import type { ServiceReport } from '../../../src/domain/service-event.ts';

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

describe('a move is ours', () => {
  it.each<[string, Partial<typeof FACTS>, Accessor]>([
    ['to the target, while the command is under way', {}, RESIDENT],
    ['that is reported as from a platform', {}, { ...RESIDENT, method: 'platform' }],
    ['that is reported in a word that is not known', {}, { ...RESIDENT, method: 'other' }],
    ['where the bolt was before is not known', { inFlight: { ...UNDER_WAY, before: 'unknown' } }, RESIDENT],
    ['reported after its end, of before', { inFlight: COMPLETED }, RESIDENT],
    ['dated a moment after we knew of its end', { inFlight: COMPLETED, at: 16_000 }, RESIDENT],
  ])('%s: without the name of the person, who may not have asked for it', (_title, facts, by) => {
    expect(attributeMove(move(by), { ...FACTS, ...facts }).accessor).toEqual(OURS);
  });
});

describe('a move is not ours', () => {
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
  ])('%s', (_title, facts) => {
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
  ])('when it is reported as %s', (method) => {
    expect(attributeMove(move({ ...RESIDENT, method }), FACTS).accessor?.method).toBe(method);
  });

  it.each([
    ['no accessor', move(null)],
    ['no position', move(RESIDENT, null)],
    ['an unknown position', move(RESIDENT, 'unknown')],
  ])('with %s', (_title, event) => {
    expect(attributeMove(event, FACTS)).toBe(event);
  });

  it('where the event is none of a bolt', () => {
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
  ])('is what the history says of %s: %s', (id, same) => {
    expect(isReportedForOurs(OURS, { ...RESIDENT, id })).toBe(same);
    expect(isReportedForOurs(RESIDENT, { ...RESIDENT, id })).toBe(false);
  });

  it('that names nobody is nobody’s other report', () => {
    expect(isReportedForOurs({ ...OURS, id: null }, { ...RESIDENT, id: null })).toBe(false);
  });
});
