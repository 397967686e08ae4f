// The stand-in of the Homebridge UI's window, held to the rules of the real one.
import { expect, it } from 'vitest';
import { mergedBy } from '../stand-ins/homebridge/window-rules.ts';
import { panelVisits } from './panel-visits.ts';

const visit = panelVisits();

it('the stand-in of the window lays the blocks of a page over its own, as the real one does (test/ui)', async () => {
  const { page } = await visit.openWindow();
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
