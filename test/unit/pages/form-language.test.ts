// The form of all options speaks the language on the screen, and opens in English whatever is in the way.
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../src/words/languages.ts';
import { formInLanguage } from '../../../web/panel/state/form-language.ts';

const ENGLISH = { pluginAlias: 'Latchkey', pluginType: 'platform', schema: { title: 'Lock' } };
const GERMAN = { ...ENGLISH, schema: { title: 'Schloss' } };

/** The form that opens where the screen shows this language, and the addresses that were asked for it. */
async function open(
  language: string,
  answer: () => Response = () => Response.json(GERMAN),
): Promise<{ readonly form: unknown; readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const window = { i18nCurrentLang: async () => language, getPluginConfigSchema: async () => ENGLISH };
  const form = await formInLanguage(window, async (path) => {
    asked.push(path);
    return answer();
  });
  return { form, asked };
}

describe('the form of all options', () => {
  it('is read beside the page in the language on the screen', async () => {
    expect(await open('de')).toEqual({ form: GERMAN, asked: ['./config.schema.de.json'] });
  });

  it.each(['en', 'zh-CN', 'auto', ''])(
    'is what the UI reads where the screen shows "%s"',
    async (language) => {
      expect(await open(language)).toEqual({ form: ENGLISH, asked: [] });
    },
  );

  it.each([
    ['the file is missing', () => new Response('', { status: 404 })],
    ['the file is no JSON', () => new Response('<html>')],
    ['the file is no form', () => Response.json({ message: 'Not Found' })],
    [
      'the connection breaks',
      (): Response => {
        throw new TypeError('fetch failed');
      },
    ],
  ])('is what the UI reads when %s', async (_what, answer) => {
    expect((await open('de', answer)).form).toBe(ENGLISH);
  });

  it('is what the UI reads when the UI does not say its language', async () => {
    const older = { getPluginConfigSchema: async () => ENGLISH, i18nCurrentLang: undefined as never };
    expect(await formInLanguage(older, async () => Response.json(GERMAN))).toBe(ENGLISH);
  });

  it('is looked for in each language that there is a file of, and in no other', () => {
    const files = readdirSync('languages').map((name) => name.replace('.json', ''));
    expect([...LANGUAGES].toSorted()).toEqual(files.toSorted());
  });
});
