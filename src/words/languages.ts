// Which language is spoken: the first wanted one that there is a translation of, else English.

/** A file of each lies in `languages`. */
export const LANGUAGES = ['de', 'es', 'fr', 'it', 'ja', 'nl'] as const;

export type Translated = (typeof LANGUAGES)[number];

export interface ChosenLanguage {
  /** Null: English. */
  readonly code: Translated | null;
  /** The wanted tag, for dates and numbers; undefined where nothing of what is wanted is spoken. */
  readonly locale: string | undefined;
}

/** `wanted`: language tags such as "de-AT", the best first. */
export function chosenLanguage(wanted: readonly string[]): ChosenLanguage {
  for (const tag of wanted.map(wellFormed)) {
    const base = tag.split('-')[0];
    const code = LANGUAGES.find((known) => known === base);
    if (code !== undefined || base === 'en') {
      return { code: code ?? null, locale: tag };
    }
  }
  return { code: null, locale: undefined };
}

/** As `Intl` takes it; empty where it would refuse it. */
function wellFormed(tag: string): string {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? '';
  } catch {
    return '';
  }
}

/** What the environment of a process wants: of "de_AT.UTF-8", "de-AT". POSIX: the first of the three that is set counts. */
export function environmentLanguages(
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const set = ['LC_ALL', 'LC_MESSAGES', 'LANG'].map((name) => environment[name]).find(Boolean) ?? '';
  return [set.replace(/[.@].*$/u, '').replaceAll('_', '-')];
}
