// The language of the pages: that of the Homebridge UI around them, else that of the browser.
import type { IHomebridgePluginUi } from '@homebridge/plugin-ui-utils/ui.interface';
import { chosenLanguage, type Translated } from '../../../src/words/languages.ts';
import { ENGLISH, type Language } from '../../../src/words/translate.ts';
import { sentenceKey } from './sentence-key.ts';

type Messages = Language['messages'];

/** Loaded by who reads it: a file of each lies beside the page, with short keys in place of the English sentences. */
const FILES: Readonly<Record<Translated, () => Promise<{ readonly default: Messages }>>> = {
  de: async () => import('../../../languages/de.json'),
  es: async () => import('../../../languages/es.json'),
  fr: async () => import('../../../languages/fr.json'),
  it: async () => import('../../../languages/it.json'),
  ja: async () => import('../../../languages/ja.json'),
  nl: async () => import('../../../languages/nl.json'),
};

/** `wanted`: language tags, the best first. A translation that cannot be loaded leaves English. */
export async function loadLanguage(wanted: readonly string[], files = FILES): Promise<Language> {
  const { code, locale } = chosenLanguage(wanted);
  const english = { ...ENGLISH, locale };
  if (code === null) {
    return english;
  }
  return files[code]().then(
    ({ default: messages }) => ({ code, locale, messages, keyOf: keysOnce() }),
    () => english,
  );
}

/** A page says the same sentences again and again. */
function keysOnce(): (english: string) => string {
  const keys = new Map<string, string>();
  return (english) => {
    const key = keys.get(english) ?? sentenceKey(english);
    keys.set(english, key);
    return key;
  };
}

/** Whatever the UI shows, the browser’s languages come after it; an older UI does not say its own. */
export async function windowLanguages(
  homebridge: Pick<IHomebridgePluginUi, 'i18nCurrentLang'>,
  browser: readonly string[],
): Promise<readonly string[]> {
  try {
    return [await homebridge.i18nCurrentLang(), ...browser];
  } catch {
    return browser;
  }
}
