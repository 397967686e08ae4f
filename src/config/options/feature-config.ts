// What features make of their options: faults and warnings, and their part of the configuration.
import type { Message } from '../../domain/language/message.ts';
import { Additions, gathered } from '../../support/additions.ts';
import type { Options } from './option-table.ts';

/** Each feature declares its part here. */
export interface FeatureConfig {}

/** What options alone do not say. */
export interface Circumstances {
  readonly bridge: string | null;
  readonly remotePinIsFaulty: boolean;
}

/** An option that forbids, and what counts in its place while an unknown option may be a misspelling of it. */
export interface Prohibition {
  /** The block in which it stands, and all options there. */
  readonly block: string;
  readonly names: () => readonly string[];
  readonly option: string;
  readonly meanwhile: string;
  /** What is said of the unknown option. */
  readonly fault: Message;
}

export interface OptionsOfFeature {
  readonly forbids?: Prohibition;
  readonly problems?: (options: Options) => readonly Message[];
  readonly warnings?: (options: Options) => readonly Message[];
  readonly config?: (options: Options, circumstances: Circumstances) => Partial<FeatureConfig>;
}

export const optionsOfFeatures = new Additions<OptionsOfFeature>();

export function featureConfig(options: Options, circumstances: Circumstances): FeatureConfig {
  return gathered<FeatureConfig>(
    optionsOfFeatures.all.map(({ config }) => config?.(options, circumstances) ?? {}),
  );
}
