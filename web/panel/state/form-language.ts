// Finds the form of all options in the language that the Homebridge UI has on the screen.
import type { IHomebridgePluginUi, PluginSchema } from '@homebridge/plugin-ui-utils/ui.interface';
import { isObject } from '../../../src/support/text/foreign-json.ts';
import { LANGUAGES } from '../../../src/words/languages.ts';

/** Those that the form is translated into: a file of each lies beside this page. */
const FORM_LANGUAGES: ReadonlySet<string> = new Set(LANGUAGES);

/** Reads what lies beside this page. */
export type ReadBeside = (path: string) => Promise<Pick<Response, 'ok' | 'json'>>;

/**
 * A UI that knows `directories.schemas` of package.json reads the language that is set there. An older one reads English, and so
 * does one whose screen follows the browser: so the page looks first. Whatever is in the way costs only the translation.
 */
export async function formInLanguage(
  homebridge: Pick<IHomebridgePluginUi, 'getPluginConfigSchema' | 'i18nCurrentLang'>,
  read: ReadBeside,
): Promise<PluginSchema> {
  try {
    const language = await homebridge.i18nCurrentLang();
    const answer = FORM_LANGUAGES.has(language) ? await read(`./config.schema.${language}.json`) : undefined;
    const form: unknown = answer?.ok === true ? await answer.json() : undefined;
    if (isForm(form)) {
      return form;
    }
  } catch {
    // An older UI does not say its language.
  }
  return homebridge.getPluginConfigSchema();
}

function isForm(value: unknown): value is PluginSchema {
  return isObject(value) && typeof value['pluginAlias'] === 'string' && isObject(value['schema']);
}
