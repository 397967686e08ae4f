// Which moves are the effect of our own commands: only moves that no other cause explains.
import { describe, expect, it } from 'vitest';
import {
  type AttributionFacts,
  attributeMove,
  isReportedForOurs,
} from '../../../../src/domain/history/move-attribution-policy.ts';
import type { AccessMethod, Accessor } from '../../../../src/domain/locks/access.ts';
import type { RecentCommand } from '../../../../src/domain/locks/move.ts';
import type { ServiceEvent } from '../../../../src/domain/webhooks/service-event.ts';

const UNDER_WAY: RecentCommand = {
  target: 'secured',
  before: 'unsecured',
  from: 10_000,
  until: null,
  lastMoveAt: null,
  since: 10_000,
  hasMoved: false,
  isReported: false,
};
const COMPLETED: RecentCommand = { ...UNDER_WAY, until: 14_000 };
const RESIDENT: Accessor = { method: 'virtual-key', id: 'u-1', name: 'Resident' };
const OURS: Accessor = { method: 'own-command', id: 'u-1', name: null };

const ABOUT = { eventId: 'e-1', at: 12_000, lockId: null };
const move = (accessor: Accessor | null = RESIDENT, bolt: 'secured' | 'unknown' | null = 'secured') => ({
  type: 'bolt' as const,
  bolt,
  accessor,
  ...ABOUT,
});

interface Facts {
  readonly command: RecentCommand | null;
  readonly subject: string | null;
  readonly at: number;
}

const FACTS: Facts = { command: UNDER_WAY, subject: 'u-1', at: 12_000 };

function attributed<Event extends ServiceEvent>(event: Event, { command, subject, at }: Facts): Event {
  const facts: AttributionFacts = {
    recent: { moves: [], commands: command === null ? [] : [command] },
    subject,
    calledBy: (codeId) => (codeId === 'code-7' ? 'Анна' : null),
  };
  return attributeMove(event, at, facts);
}

it('whoever used a code is called by its id, whatever name the lock has for it', () => {
  const by = { method: 'access-code', name: 'Guest' } as const;
  const nameOf = (id: string | null) => attributed(move({ ...by, id }), FACTS).accessor?.name;
  expect([nameOf('code-7'), nameOf('code-8'), nameOf(null)]).toEqual(['Анна', 'Guest', 'Guest']);
  expect(attributed(move({ ...by, id: 'code-7' }), FACTS).accessor?.codeName).toBe('Guest');
  expect(attributed(move({ ...RESIDENT, id: 'code-7' }), FACTS).accessor?.name).not.toBe('Анна');
});

it.each<[string, Partial<Facts>, Accessor]>([
  ['to the target, while the command is under way', {}, RESIDENT],
  ['that is reported as from a platform', {}, { ...RESIDENT, method: 'platform' }],
  ['that is reported in a word that is not known', {}, { ...RESIDENT, method: 'other' }],
  ['where the bolt was before is not known', { command: { ...UNDER_WAY, before: 'unknown' } }, RESIDENT],
  ['reported after its end, of before', { command: COMPLETED }, RESIDENT],
  ['dated a moment after we knew of its end', { command: COMPLETED, at: 16_000 }, RESIDENT],
  ['of any person, where the token names none (faults#170)', { subject: null }, RESIDENT],
  // Without the name of the person, who may not have asked for it.
])('a move of ours is recognised %s', (_title, facts, by) => {
  expect(attributed(move(by), { ...FACTS, ...facts }).accessor).toEqual(OURS);
});

it.each([
  [9_999, OURS],
  [8_000, OURS],
  [7_999, RESIDENT],
])(
  'a move that counts as ours is recognised where it is dated a little before it was sent: at %i',
  (at, by) => {
    const counted: RecentCommand = { ...COMPLETED, since: 1_000, hasMoved: true };
    const own = { to: 'secured', by: { method: 'own-command', id: null, name: null }, at: 10_000 } as const;
    const recent = { moves: [own], commands: [counted] };
    expect(attributeMove(move(), at, { recent, subject: 'u-1', calledBy: () => null }).accessor).toEqual(by);
  },
);

describe('a move that is not ours', () => {
  it.each<[string, Partial<Facts>]>([
    ['with no command', { command: null }],
    ['before it was sent', { at: 9_999 }],
    ['after its end', { command: COMPLETED, at: 16_001 }],
    ['of a bolt that was there', { command: { ...UNDER_WAY, before: 'secured' } }],
    ['the other way', { command: { ...UNDER_WAY, target: 'unsecured' } }],
    ['of another person than the one of the link', { subject: 'u-2' }],
  ])('is recognised: %s', (_title, facts) => {
    expect(attributed(move(), { ...FACTS, ...facts }).accessor).toEqual(RESIDENT);
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
    expect(attributed(move({ ...RESIDENT, method }), FACTS).accessor?.method).toBe(method);
  });

  it.each<[string, ServiceEvent]>([
    ['with no accessor', move(null)],
    ['with no position', move(RESIDENT, null)],
    ['with an unknown position', move(RESIDENT, 'unknown')],
    ['about no bolt', { type: 'alarm', ...ABOUT }],
  ])('is reported %s', (_title, event) => {
    expect(attributed(event, FACTS)).toBe(event);
  });
});

it('a command of ours appears in the history under the person of the link, and as nobody else’s', () => {
  const reported = (ours: Accessor, id: string | null) => isReportedForOurs(ours, { ...RESIDENT, id });
  expect(['u-1', 'u-2', null].map((id) => reported(OURS, id))).toEqual([true, false, false]);
  expect(['u-1', 'u-2', null].map((id) => reported(RESIDENT, id))).toEqual([false, false, false]);
  expect(reported({ ...OURS, id: null }, null)).toBe(false);
});
