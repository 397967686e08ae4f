// Checks whether an account's bridge can show its locks over Matter, if config.json enables that.
import type { AccountBlock } from '../../config/account-blocks.ts';
import { asksForMatter, matterObstacleIn } from '../../config/matter-option.ts';
import type { MatterNodeState } from '../../domain/account/matter-node.ts';
import { type Finding, fine, note, warning } from './finding.ts';

const CHECK = 'matter';

/** No finding for an account without Matter. */
export function matterFindings({ block }: Pick<AccountBlock, 'block'>): readonly Finding[] {
  if (!asksForMatter(block)) {
    return [];
  }
  const obstacle = matterObstacleIn(block);
  return [
    obstacle === null
      ? fine(CHECK, 'Matter is turned on for the bridge of this account.')
      : warning(CHECK, `${obstacle.why} The locks stay in HomeKit.`, obstacle.advice),
  ];
}

const NODE_FINDINGS: Readonly<Record<MatterNodeState, Finding | null>> = {
  off: null,
  starting: note(
    CHECK,
    'The plugin has just started; whether apps reach the locks over Matter is not known yet.',
  ),
  reachable: fine(CHECK, 'The Matter bridge runs, and apps have added it.'),
  offline: warning(
    CHECK,
    'The Matter bridge does not run, so the locks are in HomeKit.',
    'Look into the log of Homebridge: often another program has its port. Choose another in the Bridge Settings of the plugin.',
  ),
  'not-added': warning(
    CHECK,
    'No app has added the Matter bridge, so the locks are in HomeKit.',
    'Add it in an app with the Matter code, which the Homebridge UI shows beside the HomeKit code.',
  ),
};

/** The running plugin's report on its node; null where it has none. */
export function matterNodeFinding(state: MatterNodeState): Finding | null {
  return NODE_FINDINGS[state];
}
