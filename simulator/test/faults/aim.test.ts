// Which calls a fault strikes and how often: methods, paths, counts, seeded rates, and faults that meet.
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { faultSchema, fitsPath } from '../../src/faults/fault.ts';
import { COMMANDS, DEVICES, FaultHarness } from './harness.ts';

const ERROR = { kind: 'status', status: 500 } as const;

const statuses = async (service: FaultHarness, count: number): Promise<readonly unknown[]> => {
  const got: unknown[] = [];
  for (let index = 0; index < count; index += 1) {
    got.push(await service.outcome('GET', DEVICES));
  }
  return got;
};

describe('how often a fault strikes', () => {
  test.each([
    ['once', [500, 200, 200]],
    [{ times: 2 }, [500, 500, 200]],
    [{ rate: 0 }, [200, 200, 200]],
    [{ rate: 1 }, [500, 500, 500]],
  ] as const)('%o: the first three calls are answered %j', async (often, answers) => {
    const service = await FaultHarness.start({ ...ERROR, often });
    expect(await statuses(service, 3)).toEqual(answers);
    expect(service.board.list()).toHaveLength(typeof often === 'object' && 'rate' in often ? 1 : 0);
  });

  test('can be always, until it is taken back', async () => {
    const service = await FaultHarness.start({ ...ERROR, often: 'always' });
    expect(await statuses(service, 3)).toEqual([500, 500, 500]);
    const [armed] = service.board.list();
    expect(armed).toMatchObject({ id: 'fault-1', fault: { kind: 'status' }, left: null });
    expect(service.board.disarm('fault-1')).toBe(true);
    expect(await statuses(service, 1)).toEqual([200]);
  });

  test('can be a rate, with the same calls for the same seed', async () => {
    const struck = async (seed: string): Promise<readonly unknown[]> => {
      const service = await FaultHarness.startWithSeed(seed);
      service.arm({ ...ERROR, often: { rate: 0.3 } });
      return statuses(service, 100);
    };
    const first = await struck('one');
    const count = first.filter((status) => status === 500).length;
    expect(count).toBeGreaterThan(15);
    expect(count).toBeLessThan(45);
    expect(await struck('one')).toEqual(first);
    expect(await struck('two')).not.toEqual(first);
  });
});

describe('the calls that a fault strikes', () => {
  test.each([
    [{ method: 'POST' }, ['POST', COMMANDS], ['GET', DEVICES]],
    [
      { path: '**/devices/*/history' },
      ['GET', `${DEVICES}/6c1d/history?limit=5`],
      ['GET', `${DEVICES}/6c1d`],
    ],
    [{}, ['GET', '/api/locks/no-such-route'], ['GET', '/_control/state']],
  ] as const)('with %o it is %j and not %j', async (where, struck, spared) => {
    const service = await FaultHarness.start({ ...ERROR, ...where, often: 'always' });
    expect(await service.outcome(struck[0], struck[1])).toBe(500);
    expect(await service.outcome(spared[0], spared[1])).toBe(200);
  });

  test.each([
    ['/a/*', '/a/b', true],
    ['/a/*', '/a/b/c', false],
    ['/a/*', '/a/', false],
    ['/a/**', '/a/b/c', true],
    ['**/c', '/a/b/c', true],
    ['**', '/anything', true],
    ['/a.b', '/aXb', false],
    ['/a', '/a/b', false],
    ['/a+(b)[c]{d}^$|?\\', '/a+(b)[c]{d}^$|?\\', true],
  ])('match %s and %s: %s', (pattern, path, fits) => {
    expect(fitsPath(pattern, path)).toBe(fits);
  });
});

describe('two faults that meet', () => {
  test('strike a call one at a time when both answer; the other waits for the next', async () => {
    const service = await FaultHarness.start(
      { kind: 'status', status: 503, often: 'once' },
      { kind: 'status', status: 429, often: 'once' },
    );
    expect(await statuses(service, 3)).toEqual([503, 429, 200]);
  });

  test('strike together where they can: old forms and skew, and a truncation that cuts their answer', async () => {
    const service = await FaultHarness.start(
      { kind: 'old-forms', forms: ['integer-lock-state'], often: 'always' },
      { kind: 'clock-skew', offsetMs: 1000, often: 'always' },
      { kind: 'truncated-json', often: { times: 1 } },
    );
    const cut = await service.call('GET', `${DEVICES}/6c1d`);
    const whole = await service.call('GET', `${DEVICES}/6c1d`);
    expect(JSON.parse(whole.text)).toMatchObject({ lockState: 1, lastUpdated: '2026-04-14T12:00:04.120Z' });
    expect(whole.text.startsWith(cut.text)).toBe(true);
    expect(cut.text.length).toBeLessThan(whole.text.length);
  });
});

describe('a fault of the control API', () => {
  test.each<[z.input<typeof faultSchema>, object]>([
    [{ kind: 'latency', delayMs: 5, often: 'once' }, { when: 'before-work' }],
    [
      { kind: 'html', often: 'once' },
      { status: 502, when: 'before-work' },
    ],
    [{ kind: 'redirect', location: '/x', often: 'once' }, { status: 302 }],
    [
      { kind: 'huge-body', bytes: 100, often: 'once' },
      { compressed: false, when: 'before-work' },
    ],
  ])('%j gets its defaults', (fault, defaults) => {
    expect(faultSchema.parse(fault)).toEqual({ ...fault, ...defaults });
  });

  test.each([
    { kind: 'status', status: 200, often: 'once' },
    { kind: 'status', status: 500 },
    { kind: 'status', status: 500, often: 'sometimes' },
    { kind: 'status', status: 500, often: 'once', path: 'devices' },
    { kind: 'status', status: 500, often: 'once', method: 'BREW' },
    { kind: 'status', status: 500, often: 'once', colour: 'blue' },
    { kind: 'cut', often: 'once' },
    { kind: 'redirect', status: 304, location: '/x', often: 'once' },
    { kind: 'old-forms', forms: [], often: 'once' },
    { kind: 'huge-body', bytes: 2 ** 40, often: 'once' },
    { kind: 'flood', often: 'once' },
  ])('%j is refused', (fault) => {
    expect(faultSchema.safeParse(fault).success).toBe(false);
  });
});
