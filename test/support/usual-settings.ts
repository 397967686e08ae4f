// The settings of a lock for which nobody has set any.
import { eachSetting, LOCK_SETTINGS, type SourcedValues } from '../../src/domain/locks/settings.ts';

export const USUAL_SETTINGS = eachSetting<SourcedValues>((name) => ({
  value: LOCK_SETTINGS[name].usual,
  from: 'default',
}));
