// Checks whether an account's bridge can show its locks over Matter, if config.json enables that.
import type { AccountBlock } from '../../config/account-blocks.ts';
import { asksForMatter, matterObstacleIn } from '../../config/matter-option.ts';
import { type Finding, fine, warning } from './finding.ts';

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
