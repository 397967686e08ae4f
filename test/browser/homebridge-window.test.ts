// The stand-in of the Homebridge UI's window, held to the rules of the real one.
import { expect, it } from 'vitest';
import { openHomebridgeWindow } from '../stand-ins/homebridge/window.ts';
import { mergedBy } from '../stand-ins/homebridge/window-rules.ts';
import { AccountPanel } from './account-panel.ts';
import { panelVisits } from './panel-visits.ts';

const visit = panelVisits();

it('the stand-in of the window lays the blocks of a page over its own, as the real one does (test/ui)', async () => {
  visit.panel = await AccountPanel.start(visit.account);
  const { page } = await openHomebridgeWindow(await visit.visitor.context(), visit.panel);
  const merged = await mergedBy({
    give: async (blocks) => {
      await page.evaluate(`homebridge.updatePluginConfig(${JSON.stringify(blocks)})`);
    },
    held: async () => page.evaluate('homebridge.getPluginConfig()'),
  });
  for (const [held, expected] of merged) {
    expect(held).toEqual(expected);
  }
});
