// Options of Matter: where locks are shown, all of an account or one.
import { z } from 'zod';
import type { OptionsOfFeature } from '../../../config/options/feature-config.ts';
import { problem } from '../../../config/options/problem-line.ts';
import { message } from '../../../domain/language/message.ts';

const choice = () => z.enum(['off', 'both', 'only']);

export const matterRow = () =>
  choice().default('off').meta({
    description:
      'Show the locks over Matter as well as in HomeKit (`both`), or over Matter alone (`only`). Needs a child bridge with Matter turned on.',
  });

export const lockMatterRow = () =>
  choice().optional().meta({
    description: 'Where this lock is shown, as `matter` says for all. Default: `matter`.',
  });

declare module '../../../config/options/feature-options.ts' {
  interface FeatureRows {
    readonly matter: ReturnType<typeof matterRow>;
  }
  interface FeatureLockRows {
    readonly matter: ReturnType<typeof lockMatterRow>;
  }
}

declare module '../../../config/options/feature-config.ts' {
  interface FeatureConfig {
    readonly matter: z.output<ReturnType<typeof choice>>;
  }
}

export const OF_MATTER: OptionsOfFeature = {
  warnings: ({ demo, matter }) =>
    problem('matter', demo && matter !== 'off' ? message('is not used in the demo') : null),
  config: ({ demo, matter }) => ({ matter: demo ? 'off' : matter }),
};
