// Keeps a picture of a page for a document.
import { writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

/** Small enough for a document, in percent. */
const WEBP_QUALITY = 82;

/** WebP, which the browser makes itself: a fifth of the size of PNG. */
export async function documentPicture(page: Page, path: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: WEBP_QUALITY });
  writeFileSync(path, Buffer.from(data, 'base64'));
}
