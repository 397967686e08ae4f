// The lists of codes in memory: a question that was asked before a change never counts as the answer after it.
import { expect, it } from 'vitest';
import { type AccessCode, accessCodeId } from '../../../../src/domain/codes/access-code.ts';
import { lockId } from '../../../../src/domain/locks/lock.ts';
import { silentLog } from '../../../../src/support/log.ts';
import { CodeLists } from '../../../../src/sync/codes/lists.ts';
import { EventBus } from '../../../../src/sync/locks/event-bus.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const DOOR = lockId('door');
const CODE: AccessCode = {
  id: accessCodeId('a'),
  name: 'Anna',
  pin: '4711',
  readOnly: false,
  schedule: { kind: 'always' },
};

function slowLists() {
  const clock = new ManualClock();
  const answers: ((codes: readonly AccessCode[]) => void)[] = [];
  const lists = new CodeLists({
    codes: {
      gateway: {
        codes: async () =>
          new Promise((resolve) => {
            answers.push(resolve);
          }),
        send: async () => Promise.reject(new Error('Not here.')),
        codeOutcome: async () => Promise.reject(new Error('Not here.')),
      },
      zoneOf: () => 'UTC',
    },
    clock,
    log: silentLog,
    bus: new EventBus(silentLog),
    webhooks: { health: 'healthy' },
  });
  return { lists, answers, clock };
}

it('a reading that began before a change is not shared with requests after it', async () => {
  const { lists, answers } = slowLists();
  const before = lists.list(DOOR);
  const shared = lists.list(DOOR);
  lists.outdate(DOOR);
  const after = lists.list(DOOR);
  expect(answers).toHaveLength(2);
  answers[0]?.([]);
  answers[1]?.([CODE]);
  const listed = (await Promise.all([before, shared, after])).map(({ codes }) => codes);
  expect(listed).toEqual([[], [], [CODE]]);
  expect(lists.current(DOOR)).toMatchObject({ codes: [CODE] });
});

it('a list that was asked for before a change is not trusted', async () => {
  const { lists, answers } = slowLists();
  const before = lists.list(DOOR);
  lists.outdate(DOOR);
  answers[0]?.([]);
  await before;
  expect(lists.current(DOOR)).toBeNull();
});
