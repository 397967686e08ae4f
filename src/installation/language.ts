// Which language a process speaks: English in the log and the terminal, and the reader's where it writes for a person alone.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../support/files/package-root.ts';
import { isObject, jsonIn } from '../support/text/foreign-json.ts';
import { chosenLanguage, environmentLanguages } from '../words/languages.ts';
import { ENGLISH, type Language, setLanguage, setReader } from '../words/translate.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** `wanted`: language tags, the best first. A file that cannot be read leaves English. */
function readLanguage(wanted: readonly string[]): Language {
  const { code, locale } = chosenLanguage(wanted);
  const english = { ...ENGLISH, locale };
  if (code === null) {
    return english;
  }
  try {
    const text = readFileSync(join(packageRoot(), 'languages', `${code}.json`), 'utf8');
    return { code, locale, messages: textsOf(JSON.parse(text)) };
  } catch {
    return english;
  }
}

function textsOf(json: unknown): Language['messages'] {
  const entries = isObject(json) ? Object.entries(json) : [];
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** The language of a guest, by its code. */
export function guestLanguage(code: string): Language {
  return readLanguage([code]);
}

/** For a command: its reader's language is that of its environment. */
export function setEnvironmentLanguage(environment: Environment): void {
  begin(environmentLanguages(environment));
}

/** For the plugin: its reader's language is that of the Homebridge UI, which stands in config.json, else of the environment. */
export function setHomebridgeLanguage(configFile: string, environment: Environment): void {
  begin([...uiLanguage(configFile), ...environmentLanguages(environment)]);
}

/** Dates of log and terminal are British for readers of another language, so that day and month are not mixed up. */
function begin(wanted: readonly string[]): void {
  const language = readLanguage(wanted);
  setLanguage(language.code === ENGLISH.code ? language : { ...ENGLISH, locale: 'en-GB' });
  setReader(language);
}

/** "auto" is no tag: then the UI follows the browser. */
function uiLanguage(configFile: string): readonly string[] {
  try {
    const config = jsonIn(readFileSync(configFile, 'utf8'));
    const platforms: unknown = isObject(config) ? config['platforms'] : null;
    const blocks: readonly unknown[] = Array.isArray(platforms) ? platforms : [];
    const ui = blocks.filter(isObject).find((block) => block['platform'] === 'config');
    return typeof ui?.['lang'] === 'string' ? [ui['lang']] : [];
  } catch {
    return [];
  }
}
