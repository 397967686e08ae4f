// What the pages write into config.json through the window of the Homebridge UI.
import { setTimeout as later } from 'node:timers/promises';
import type { IHomebridgePluginUi } from '@homebridge/plugin-ui-utils/ui.interface';
import { expect, it } from 'vitest';
import { withAlert } from '../../../web/panel/alerts/alert-values.ts';
import type { Block } from '../../../web/panel/state/config-blocks.ts';
import { homebridgeConfig } from '../../../web/panel/state/homebridge-config.ts';

it('changes that are made at once are all written, each upon the one before', async () => {
  let blocks: readonly Block[] = [{ platform: 'Latchkey', name: 'Latchkey' }];
  const saved: (readonly Block[])[] = [];
  // Every answer of the window takes a turn of its own.
  const window = {
    getPluginConfig: async () => later(0, blocks),
    updatePluginConfig: async (next: readonly Block[]) => {
      await later(0);
      blocks = next;
    },
    savePluginConfig: async () => {
      saved.push(blocks);
    },
  };
  const config = homebridgeConfig(window as unknown as IHomebridgePluginUi);
  await Promise.all(
    (['jam', 'lowBattery', 'activityAlarm'] as const).map(async (name) =>
      config.saveBlock('Latchkey', (block) => withAlert(block, name, true)),
    ),
  );
  expect(saved).toHaveLength(3);
  expect(blocks).toEqual([
    { platform: 'Latchkey', name: 'Latchkey', alerts: { jam: true, lowBattery: true, activityAlarm: true } },
  ]);
});
