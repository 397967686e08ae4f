// The one step that only a person can take: Save and restart, after which Homebridge runs the plugin with this account.
import type { VNode } from 'preact';
import { Notice } from '../parts/pieces.tsx';
import { tRich } from '../parts/rich.tsx';

export function StepLeft(): VNode {
  return (
    <Notice tone="warning">
      <p>
        {tRich(
          '<strong>One step left:</strong> click <em>Save</em> below, then restart Homebridge. Your locks appear in Home after you add the bridge.',
        )}
      </p>
    </Notice>
  );
}
