// Checks whether an account's bridge can show its locks over Matter, if config.json enables that.

import { type Finding, fine, note, warning } from '../../../cli/doctor/finding.ts';
import { type Message, message } from '../../../domain/language/message.ts';
import { t } from '../../../words/translate.ts';
import type { MatterNodeState } from '../node/node-state.ts';
import { asksForMatter, matterObstacleIn } from '../options/choice.ts';

export const MATTER: Message = message('matter');

/** No finding for an account without Matter. */
export function matterFindings(block: Readonly<Record<string, unknown>>): readonly Finding[] {
  if (!asksForMatter(block)) {
    return [];
  }
  const obstacle = matterObstacleIn(block);
  return [
    obstacle === null
      ? fine(MATTER, t('Matter is turned on for the bridge of this account.'))
      : warning(MATTER, `${t(obstacle.why)} ${t('The locks stay in HomeKit.')}`, t(obstacle.advice)),
  ];
}

/** The running plugin's report on its node; null where it has none. */
export function matterNodeFinding(state: MatterNodeState): Finding | null {
  switch (state) {
    case 'off':
      return null;
    case 'starting':
      return note(
        MATTER,
        t('The plugin has just started; whether apps reach the locks over Matter is not known yet.'),
      );
    case 'reachable':
      return fine(MATTER, t('The Matter bridge runs, and apps have added it.'));
    case 'offline':
      return warning(
        MATTER,
        t('The Matter bridge does not run, so the locks are in HomeKit.'),
        t(
          'Look into the log of Homebridge: often another program has its port. Choose another in the Bridge Settings of the plugin.',
        ),
      );
    case 'not-added':
      return warning(
        MATTER,
        t('No app has added the Matter bridge, so the locks are in HomeKit.'),
        t('Add it in an app with the Matter code, which the Homebridge UI shows beside the HomeKit code.'),
      );
  }
}
