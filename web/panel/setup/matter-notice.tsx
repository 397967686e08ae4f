// On the last step of the setup: the reason why locks cannot be shown over Matter, and the next step.
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { MatterObstacle } from '../../../src/config/matter-option.ts';
import { Notice } from '../parts/pieces.tsx';
import { usePageContext } from '../state/page-context.ts';

/** Only the Homebridge UI knows config.json; elsewhere, and where nothing stands in the way, there is nothing to say. */
export function MatterNotice(): VNode | null {
  const { file } = usePageContext();
  const [obstacle, setObstacle] = useState<MatterObstacle | null>(null);
  useEffect(() => {
    file?.config.matterObstacle(file.account.name).then(setObstacle, () => {
      // Without config.json there is nothing to warn of.
    });
  }, [file?.account.name]);
  return obstacle === null ? null : (
    <Notice tone="warning">
      <p>
        {obstacle.why} {obstacle.advice}
      </p>
    </Notice>
  );
}
