// Ours and the limit side by side, and the rule that they take turns: what disturbs the machine disturbs both.
import { Contestant, type ContestantOptions, type Side } from './contestant.ts';
import type { Pairwise } from './figures.ts';

export interface Pair {
  readonly ours: Contestant;
  readonly limit: Contestant;
}

export type PairOptions = Omit<ContestantOptions, 'side' | 'pluginsFolder'> & {
  readonly pluginsFolders: Readonly<Record<Side, string>>;
};

/** Opens both, and makes sure that Home is shown the same by each. */
export async function openPair({ pluginsFolders, folder, ...rest }: PairOptions): Promise<Pair> {
  const open = async (side: Side): Promise<Contestant> =>
    Contestant.open({ ...rest, side, folder: `${folder}-${side}`, pluginsFolder: pluginsFolders[side] });
  const pair = { ours: await open('ours'), limit: await open('limit') };
  assertSameShape(pair);
  return pair;
}

/** The comparison is fair only while Home is shown the same services and characteristics of every lock. */
function assertSameShape({ ours, limit }: Pair): void {
  const onlyIn = (shapes: ReadonlySet<string>, others: ReadonlySet<string>): string[] =>
    [...shapes]
      .filter((shape) => !others.has(shape))
      .map((shape) => shape.replaceAll(/-0000-1000-8000-0026BB765291/g, ''));
  const [ourOwn, limitsOwn] = [onlyIn(ours.shapes, limit.shapes), onlyIn(limit.shapes, ours.shapes)];
  if (ourOwn.length > 0 || limitsOwn.length > 0) {
    throw new Error(
      `Accessories differ (service and characteristic): ours has\n${ourOwn.join('\n\n')}\n\nthe limit has\n${limitsOwn.join('\n\n')}`,
    );
  }
}

/** Measures both in turns, `rounds` times each, and lets neither always be first. */
export async function inTurns(
  rounds: number,
  pair: Pair,
  measure: (contestant: Contestant, round: number) => Promise<number>,
): Promise<Pairwise> {
  const ours: number[] = [];
  const limit: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const first = round % 2 === 0;
    if (first) {
      ours.push(await measure(pair.ours, round));
    }
    limit.push(await measure(pair.limit, round));
    if (!first) {
      ours.push(await measure(pair.ours, round));
    }
  }
  return { ours, limit };
}

export async function both(pair: Pair, act: (contestant: Contestant) => Promise<void>): Promise<void> {
  await Promise.all([act(pair.ours), act(pair.limit)]);
}

/** Makes every answer of both services take this much longer, in milliseconds. */
export function slowAnswers({ ours, limit }: Pair, ms: number): void {
  ours.service.delayMs = ms;
  limit.service.delayMs = ms;
}

/** How long something takes, in milliseconds. */
export async function timed(act: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await act();
  return performance.now() - startedAt;
}
