// Which moves are the effect of our own commands: only moves that no other cause explains.
import { describe, expect, it } from 'vitest';
import {
  type AttributionFacts,
  attributeMove,
  isReportedForOurs,
} from '../../../../src/domain/history/move-attribution-policy.ts';
import type { AccessMethod, Accessor } from '../../../../src/domain/locks/access.ts';
import type { InFlightCommand } from '../../../../src/domain/locks/evidence-policy.ts';
import type { ServiceEvent } from '../../../../src/domain/webhooks/service-event.ts';

const UNDER_WAY: InFlightCommand = { target: 'secured', before: 'unsecured', from: 10_000, until: null };
const COMPLETED: InFlightCommand = { ...UNDER_WAY, until: 14_000 };
const RESIDENT: Accessor = { method: 'virtual-key', id: 'u-1', name: 'Resident' };
const OURS: Accessor = { method: 'own-command', id: 'u-1', name: null };

const ABOUT = { eventId: 'e-1', at: 12_000, lockId: null };
const move = (accessor: Accessor | null = RESIDENT, bolt: 'secured' | 'unknown' | null = 'secured') => ({
  type: 'bolt' as const,
  bolt,
  accessor,
  ...ABOUT,
});

const FACTS: AttributionFacts = { inFlight: UNDER_WAY, subject: 'u-1', at: 12_000 };

it.each<[string, Partial<AttributionFacts>, Accessor]>([
  ['to the target, while the command is under way', {}, RESIDENT],
  ['that is reported as from a platform', {}, { ...RESIDENT, method: 'platform' }],
  ['that is reported in a word that is not known', {}, { ...RESIDENT, method: 'other' }],
  ['where the bolt was before is not known', { inFlight: { ...UNDER_WAY, before: 'unknown' } }, RESIDENT],
  ['reported after its end, of before', { inFlight: COMPLETED }, RESIDENT],
  ['dated a moment after we knew of its end', { inFlight: COMPLETED, at: 16_000 }, RESIDENT],
  // Without the name of the person, who may not have asked for it.
])('a move of ours is recognised %s', (_title, facts, by) => {
  expect(attributeMove(move(by), { ...FACTS, ...facts }).accessor).toEqual(OURS);
});

describe('a move that is not ours', () => {
  it.each<[string, Partial<AttributionFacts>]>([
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

  it.each<[string, ServiceEvent]>([
    ['with no accessor', move(null)],
    ['with no position', move(RESIDENT, null)],
    ['with an unknown position', move(RESIDENT, 'unknown')],
    ['about no bolt', { type: 'alarm', ...ABOUT }],
  ])('is reported %s', (_title, event) => {
    expect(attributeMove(event, FACTS)).toBe(event);
  });
});

it('a command of ours appears in the history under the person of the link, and as nobody else’s', () => {
  const reported = (ours: Accessor, id: string | null) => isReportedForOurs(ours, { ...RESIDENT, id });
  expect(['u-1', 'u-2', null].map((id) => reported(OURS, id))).toEqual([true, false, false]);
  expect(['u-1', 'u-2', null].map((id) => reported(RESIDENT, id))).toEqual([false, false, false]);
  expect(reported({ ...OURS, id: null }, null)).toBe(false);
});
