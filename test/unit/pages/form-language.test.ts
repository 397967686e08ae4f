// The form of all options speaks the language on the screen, and opens in English whatever is in the way.
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../src/words/languages.ts';
import { formInLanguage, type ReadBeside } from '../../../web/panel/state/form-language.ts';

const ENGLISH = { pluginAlias: 'Latchkey', pluginType: 'platform', schema: { title: 'Lock' } };
const GERMAN = { ...ENGLISH, schema: { title: 'Schloss' } };

const asked: string[] = [];
const beside =
  (answer: () => Response): ReadBeside =>
  async (path) => {
    asked.push(path);
    return answer();
  };

function window(language: () => string): Parameters<typeof formInLanguage>[0] {
  return { i18nCurrentLang: async () => language(), getPluginConfigSchema: async () => ENGLISH };
}

describe('the form of all options', () => {
  it('is read beside the page in the language on the screen', async () => {
    asked.length = 0;
    const read = beside(() => Response.json(GERMAN));
    expect(
      await formInLanguage(
        window(() => 'de'),
        read,
      ),
    ).toEqual(GERMAN);
    expect(asked).toEqual(['./config.schema.de.json']);
  });

  it.each(['en', 'zh-CN', 'auto', ''])(
    'is what the UI reads where the screen shows "%s"',
    async (language) => {
      asked.length = 0;
      const read = beside(() => Response.json(GERMAN));
      expect(
        await formInLanguage(
          window(() => language),
          read,
        ),
      ).toBe(ENGLISH);
      expect(asked).toEqual([]);
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
    expect(
      await formInLanguage(
        window(() => 'de'),
        beside(answer),
      ),
    ).toBe(ENGLISH);
  });

  it('is what the UI reads when the UI does not say its language', async () => {
    const { getPluginConfigSchema } = window(() => 'de');
    const older = { getPluginConfigSchema } as Parameters<typeof formInLanguage>[0];
    expect(
      await formInLanguage(
        older,
        beside(() => Response.json(GERMAN)),
      ),
    ).toBe(ENGLISH);
  });

  it('is looked for in each language that there is a file of, and in no other', () => {
    const files = readdirSync('languages').map((name) => name.replace('.json', ''));
    expect([...LANGUAGES].toSorted()).toEqual(files.toSorted());
  });
});
