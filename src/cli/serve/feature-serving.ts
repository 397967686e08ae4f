// What features bring to the command `serve`: flags, and options that its surroundings know.
import type { Option } from 'commander';
import { Additions } from '../../support/additions.ts';
import type { Log } from '../../support/log.ts';

/** The options of one account, as they are written. */
export type Block = Readonly<Record<string, unknown>>;

export interface ServeStart {
  readonly flags: Readonly<Record<string, unknown>>;
  readonly isDemo: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

export interface FeatureServing {
  readonly options: () => readonly Option[];
  /** Before the configuration of an account is read. Throws final for a flag of the demo. */
  readonly check: (flags: ServeStart['flags']) => void;
  /** The block with what the feature adds. */
  readonly complete: (block: Block, start: ServeStart) => Promise<Block>;
}

export const featureServing = new Additions<FeatureServing>();

export async function completed(block: Block, start: ServeStart): Promise<Block> {
  let whole = block;
  for (const { complete } of featureServing.all) {
    whole = await complete(whole, start);
  }
  return whole;
}
