// Events of the service: how soon Home gets them, and how many are taken in. Opens everything that it needs.
import { newServiceKey } from '../support/signed-events.ts';
import { Contestant } from './contestant.ts';
import type { Figure } from './figures.ts';
import { type IngestRounds, measureIngest } from './ingest.ts';
import { openPair, type PairOptions } from './pair.ts';
import { type DelayRounds, measureDelay, measureFastEvents } from './push-delay.ts';

export interface PushRounds {
  readonly delay: DelayRounds;
  readonly ingest: IngestRounds;
}

export interface PushCircumstances {
  /** What hap-nodejs holds events for, in milliseconds. */
  readonly holdMs: number;
  /** A number from 0 up to 1. */
  readonly random: () => number;
}

export async function measurePush(
  options: PairOptions,
  rounds: PushRounds,
  { holdMs, random }: PushCircumstances,
): Promise<readonly Figure[]> {
  const key = newServiceKey();
  const { privateKey, publicKeyPem } = key;
  const reported = { ...options, webhooks: { publicKeyPem, fastEvents: false } };
  const pair = await openPair(reported);
  const fast = await Contestant.open({
    ...reported,
    webhooks: { publicKeyPem, fastEvents: true },
    side: 'ours',
    folder: `${options.folder}-fast`,
    pluginsFolder: options.pluginsFolders.ours,
  });
  const held = await measureDelay(pair, privateKey, rounds.delay, holdMs);
  const ingested = await measureIngest({
    ours: pair.ours,
    limit: pair.limit,
    key,
    rounds: rounds.ingest,
    random,
  });
  const atOnce = await measureFastEvents(fast, pair.limit, privateKey, rounds.delay);
  await Promise.all([pair.ours, pair.limit, fast].map(async (contestant) => contestant.close()));
  return [held, atOnce, ...ingested];
}
