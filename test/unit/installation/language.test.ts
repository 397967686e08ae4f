// Which language a process speaks: English in its log, and the reader's on the page after signing in.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { setEnvironmentLanguage, setHomebridgeLanguage } from '../../../src/installation/language.ts';
import { outcomePage } from '../../../src/linking/callback-page.ts';
import { ENGLISH, locale, readerLanguage, setLanguage, setReader, t } from '../../../src/words/translate.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

afterEach(() => {
  setLanguage(ENGLISH);
  setReader(ENGLISH);
});

it('the log is English where the Homebridge UI is German, and the page after signing in is German', () => {
  const configFile = join(temporaryFolder(), 'config.json');
  writeFileSync(configFile, JSON.stringify({ platforms: [{ platform: 'config', lang: 'de' }] }));
  setHomebridgeLanguage(configFile, { LANG: 'fr_FR.UTF-8' });
  expect(t('Account connected.')).toBe('Account connected.');
  expect(readerLanguage().code).toBe('de');
  const { body } = outcomePage('linked');
  expect(body).toContain('<html lang="de">');
  expect(body).not.toContain('Account connected.');
  expect(t('Account connected.')).toBe('Account connected.');
});

it.each([
  ['de_AT.UTF-8', 'en-GB', 'de'],
  ['en_US.UTF-8', 'en-US', 'en'],
  ['C', undefined, 'en'],
])('a command under LANG=%s speaks English with dates of %s, to a reader of "%s"', (LANG, dates, reader) => {
  setEnvironmentLanguage({ LANG });
  expect(t('Account connected.')).toBe('Account connected.');
  expect(locale()).toBe(dates);
  expect(readerLanguage().code).toBe(reader);
});
