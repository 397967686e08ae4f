// The one step that only a person can take: Save and restart, after which Homebridge runs the plugin with this account.
import type { VNode } from 'preact';
import type { AccountState } from './account-state.ts';
import type { AccountFile } from './page-context.ts';
import { Notice } from './pieces.tsx';

/** The window's own process answers for a connected account: Homebridge does not run the plugin with it yet. */
export function needsRestart(state: AccountState, file: AccountFile | null): boolean {
  const { status } = state;
  return file !== null && status?.link === 'linked' && status.pid === file.account.windowPid;
}

export function StepLeft(): VNode {
  return (
    <Notice tone="warning">
      <p>
        <strong>One step left:</strong> click <em>Save</em> below, then restart Homebridge. Your locks appear
        in Home after that.
      </p>
    </Notice>
  );
}
