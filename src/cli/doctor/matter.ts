// Whether the bridge of an account can show its locks over Matter, where config.json asks for that.
import type { AccountBlock } from '../../config/account-blocks.ts';
import { asksForMatter, matterObstacleIn } from '../../config/matter-option.ts';
import { type Finding, fine, warning } from './finding.ts';

const CHECK = 'matter';

/** Nothing is said of an account that does not ask for Matter. */
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
