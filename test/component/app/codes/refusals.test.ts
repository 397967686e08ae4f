// Every refusal of the specification that a command on access codes can meet, over the real simulator: its words and its effect.
import { describe, expect, it } from 'vitest';
import { ERRORS, type ErrorCode, refuse } from '../../../../simulator/src/contract/errors.ts';
import type { CodeProgress } from '../../../../src/domain/codes/operation.ts';
import { t } from '../../../../src/words/translate.ts';
import { SimulatedHome } from '../../../homes/simulated-home.ts';
import { inWords } from '../../../support/in-words.ts';
import { ended } from './ended.ts';

const PIN = '0417';
const DRAFT = { name: 'Cleaner', pin: PIN, schedule: { kind: 'always' } };

const REPORT = 'This is a fault of the plugin or of the service: report it, with the log.';
const AGAIN = 'Try again in a minute.';

/** Specification, Device command error codes: the number, the part of the request at fault, and what a person reads. */
const TABLE: readonly (readonly [ErrorCode, string | null, string])[] = [
  [2, 'pin', 'The lock already has this code. Choose a different one.'],
  [3, 'pin', 'The lock accepts codes of 4 to 8 digits. Choose a different one.'],
  [4, 'name', 'The lock already has a code with this name. Choose a different name.'],
  [5, 'lock', 'The lock could not store the code. It may be full: remove a code first.'],
  [6, 'lock', `The lock could not delete the code. ${AGAIN}`],
  [16, null, `The service says that no code was named. ${REPORT}`],
  [17, 'pin', 'The service says that the code has no digits. Enter a code.'],
  [18, 'name', 'The service says that the code has no name. Enter a name.'],
  [19, 'schedule', 'The service says that the code has no schedule. Choose one.'],
  [20, null, `The service did not accept the request. ${REPORT}`],
  [21, null, `The service misses a setting of the code. ${REPORT}`],
  [22, 'schedule', 'The service misses the start of the schedule. Choose a start.'],
  [23, 'schedule', 'The service misses the end of the schedule. Choose an end.'],
  [24, null, 'The service did not accept a value. Use plain letters and digits in the name.'],
  [25, null, 'This service cannot change access codes.'],
  [26, 'lock', 'The code is in the list, but not on the lock. Remove it, then add it again.'],
  [27, 'lock', 'The lock has this code twice. Remove it in the lock’s own app.'],
  [28, 'name', 'The name is too long for this lock. Use at most 12 characters.'],
  [29, 'pin', 'The service needs the code’s length. Enter the code again.'],
  [30, 'pin', 'The lock does not take codes of this length. Use as many digits as its other codes have.'],
  [31, null, 'The code is no longer there. Look at the list again.'],
  [34, 'schedule', 'The lock does not accept this schedule. Check its days and times.'],
  [35, 'schedule', 'The lock accepts at most two weekly windows.'],
  [37, 'pin', 'A shorter code on the lock begins the same way. Choose a different one.'],
  [38, 'pin', 'A longer code on the lock begins with these digits. Choose a different one.'],
];

const HOWS = ['in the answer', 'in a failed command'] as const;
type How = (typeof HOWS)[number];

/** While something happens at the service, how much was sent and listed. */
class Door {
  readonly home: SimulatedHome;
  readonly lock;

  static async open(): Promise<Door> {
    return new Door(await SimulatedHome.linked());
  }

  private constructor(home: SimulatedHome) {
    this.home = home;
    this.lock = home.idOf('Front door');
  }

  /** The next command is refused in its answer, which repeats its input; or it is taken, and fails at the lock. */
  async fail(how: How, number: ErrorCode): Promise<void> {
    if (how === 'in a failed command') {
      this.home.simulator.world.failNextCommands(this.lock, { errorCode: number, count: 1 });
      return;
    }
    const body = { errorCode: number, Description: `${ERRORS[number].words}: ${PIN}` };
    const fault = { status: refuse(number).status, body, often: 'once' };
    await this.home.fail('**/commands', { ...fault, method: 'POST' });
  }

  async add(): Promise<CodeProgress> {
    return ended(this.home, this.home.app.operations['codes.add']({ lock: this.lock, draft: DRAFT }));
  }

  async update(code: string, changes: object): Promise<CodeProgress> {
    return ended(this.home, this.home.app.operations['codes.update']({ lock: this.lock, code, changes }));
  }

  async remove(code: string): Promise<CodeProgress> {
    return ended(this.home, this.home.app.operations['codes.remove']({ lock: this.lock, code }));
  }

  async listed() {
    return this.home.answered(this.home.app.operations['codes.list']({ lock: this.lock }));
  }

  async resident(): Promise<string> {
    return (await this.listed()).codes.find(({ name }) => name === 'Resident')?.id ?? '';
  }

  async sent(): Promise<number> {
    return this.home.count('POST', '/commands');
  }

  async listings(): Promise<number> {
    return this.home.count('GET', '/accesscodes');
  }

  names(): readonly string[] {
    return this.home.simulator.world.inspect(this.lock).codesOnLock.map(({ name }) => name);
  }
}

/** Adds a code against one refusal, and returns the result. */
async function refused(door: Door, how: How, number: ErrorCode) {
  await door.fail(how, number);
  const [sentBefore, listedBefore] = [await door.sent(), await door.listings()];
  const { phase, failure } = await door.add();
  return {
    number,
    phase,
    field: failure?.field ?? null,
    words: failure === null ? null : t(failure.words),
    sent: (await door.sent()) - sentBefore,
    // Before the command, to see what is there; after it, to see what it did.
    listedAfterwards: (await door.listings()) - listedBefore >= 2,
    onLock: door.names(),
  };
}

function expected([number, field, words]: (typeof TABLE)[number]) {
  return { number, phase: 'failed', field, words, sent: 1, listedAfterwards: true, onLock: ['Resident'] };
}

describe('a refusal of adding a code', () => {
  it.each(HOWS)(
    '%s ends the operation with the reason in words, after one command and one list (faults#68)',
    async (how) => {
      const door = await Door.open();
      // An answer with 5xx says nothing of what happened: see below.
      const rows = TABLE.filter(([number]) => how === 'in a failed command' || refuse(number).status < 500);
      const ends = [];
      for (const [number] of rows) {
        ends.push(await refused(door, how, number));
      }
      expect(ends).toEqual(rows.map(expected));
      expect(rows.length).toBeGreaterThanOrEqual(TABLE.length - 1);
      expect(door.home.lines.join('\n')).not.toContain(PIN);
    },
  );

  it.each<[string, How, ErrorCode]>([
    ...HOWS.map((how): [string, How, ErrorCode] => [
      `because the lock is busy (36), ${how}, is waited out`,
      how,
      36,
    ]),
    ['with a status of 500 and a number (6) proves nothing, and the list decides', 'in the answer', 6],
  ])('%s, and the lock has the code once', async (_, how, number) => {
    const door = await Door.open();
    const end = { phase: 'done', sent: 2, onLock: ['Resident', 'Cleaner'] };
    expect(await refused(door, how, number)).toMatchObject(end);
  });
});

describe('a refusal of changing or removing a code', () => {
  it('of a code that is on the list alone (26) is reported, and the code is noted as a stray until it is removed', async () => {
    for (const how of HOWS) {
      const door = await Door.open();
      const code = await door.resident();
      await door.fail(how, 26);
      const { phase, failure } = await door.update(code, { pin: '2581' });
      expect([phase, failure?.reason]).toEqual(['failed', 'user-not-on-lock']);
      expect((await door.listed()).strays).toMatchObject([{ codeId: code, only: 'list' }]);
      expect(inWords(await door.remove(code))).toMatchObject({ phase: 'done' });
      expect(await door.listed()).toMatchObject({ codes: [], strays: [] });
    }
  });

  it('of a code that the service does not know (31) is why a change failed, and one that it still lists is not reported as removed', async () => {
    const failed = (words: string) => ({ phase: 'failed', failure: { words } });
    for (const how of HOWS) {
      const door = await Door.open();
      const code = await door.resident();
      await door.fail(how, 31);
      expect(inWords(await door.update(code, { pin: '2581' }))).toMatchObject(
        failed('The code is no longer there. Look at the list again.'),
      );
      await door.fail(how, 31);
      // It opens the door.
      expect(inWords(await door.remove(code))).toMatchObject(
        failed('The lock did not say whether it was done. Look at the list of codes in a few minutes.'),
      );
      expect(door.names()).toEqual(['Resident']);
    }
  });

  it('of a code that the lock cannot delete (6), or holds twice (27), leaves the code there and says so', async () => {
    const door = await Door.open();
    const code = await door.resident();
    for (const number of [6, 27] as const) {
      await door.fail('in a failed command', number);
      expect(inWords(await door.remove(code))).toMatchObject({
        phase: 'failed',
        failure: { words: TABLE.find(([one]) => one === number)?.[2] },
      });
      expect(door.names()).toEqual(['Resident']);
    }
  });
});
