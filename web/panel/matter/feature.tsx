// What Matter brings to the pages: a word at the end of the setup where it cannot be used.
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type MatterObstacle, matterObstacleIn } from '../../../src/features/matter/options/choice.ts';
import { t } from '../../../src/words/translate.ts';
import type { FeaturePage } from '../parts/feature-page.ts';
import { Notice } from '../parts/pieces.tsx';
import { usePageContext } from '../state/page-context.ts';

export const MATTER: FeaturePage = { name: 'matter', Check: MatterNotice };

/** Only the Homebridge UI knows config.json; elsewhere, and where nothing stands in the way, there is nothing to say. */
function MatterNotice(): VNode | null {
  const { file } = usePageContext();
  const [obstacle, setObstacle] = useState<MatterObstacle | null>(null);
  useEffect(() => {
    file?.config.block(file.account.name).then(
      (block) => setObstacle(matterObstacleIn(block)),
      () => {
        // Without config.json there is nothing to warn of.
      },
    );
  }, [file?.account.name]);
  return obstacle === null ? null : (
    <Notice tone="warning">
      <p>
        {t(obstacle.why)} {t(obstacle.advice)}
      </p>
    </Notice>
  );
}
