// What axe, the checker of accessibility, finds in a page.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { z } from 'zod';

const violations = z.object({
  violations: z.array(
    z.object({
      id: z.string(),
      impact: z.string().nullish(),
      nodes: z.array(z.object({ html: z.string(), failureSummary: z.string().optional() })),
    }),
  ),
});

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules whose outcome depends on colours. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** The rule whose outcome depends on the size of the screen. */
const OF_ROOM = ['scrollable-region-focusable'];

/** What of axe is asked: all, what depends on colours, everything else, or of that what depends on the room. */
const ASKED = {
  all: {},
  colours: { runOnly: OF_COLOURS },
  room: { runOnly: OF_ROOM },
  shape: { rules: Object.fromEntries(OF_COLOURS.map((rule) => [rule, { enabled: false }])) },
};

/** Everything that axe finds, of whatever grade. */
export async function axeFaults(page: Page, asked: keyof typeof ASKED = 'all'): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) {
    // Neither by a tag, which the page's policy would stop, nor by `evaluate`, which reads the text twice.
    const session = await page.context().newCDPSession(page);
    await session.send('Runtime.evaluate', { expression: SOURCE });
    await session.detach();
  }
  const options = { resultTypes: ['violations'], ...ASKED[asked] };
  const result: unknown = await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`);
  return violations
    .parse(result)
    .violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary ?? ''}`).join(' | ')}`,
    );
}
