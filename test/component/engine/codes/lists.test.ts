// The lists of codes in memory: a question that was asked before a change never counts as the answer after it.
import { expect, it } from 'vitest';
import { type AccessCode, accessCodeId } from '../../../../src/domain/codes/access-code.ts';
import { lockId } from '../../../../src/domain/locks/lock.ts';
import { CodeLists } from '../../../../src/engine/codes/lists.ts';
import { EventBus } from '../../../../src/engine/locks/event-bus.ts';
import { silentLog } from '../../../../src/support/log.ts';
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
    clock: new ManualClock(),
    log: silentLog,
    bus: new EventBus(silentLog),
    webhooks: { health: 'healthy' },
  });
  return { lists, answers };
}

it('a reading that began before a change is not trusted, nor shared with requests after it', async () => {
  const { lists, answers } = slowLists();
  const before = [lists.list(DOOR), lists.list(DOOR)];
  lists.outdate(DOOR);
  const after = lists.list(DOOR);
  expect(answers).toHaveLength(2);
  answers[0]?.([]);
  expect((await Promise.all(before)).map(({ codes }) => codes)).toEqual([[], []]);
  expect(lists.current(DOOR)).toBeNull();
  answers[1]?.([CODE]);
  expect((await after).codes).toEqual([CODE]);
  expect(lists.current(DOOR)).toMatchObject({ codes: [CODE] });
});
