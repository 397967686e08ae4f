// Formats of dates and lists, made once for each language: a message to a guest may be in another one than the page.

const made = new Map<string, Intl.DateTimeFormat>();
const madeOfLists = new Map<string, Intl.ListFormat>();

/** `language`: a tag; undefined: as the surroundings have it. */
export function dateFormat(
  language: string | undefined,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const key = `${language ?? ''} ${JSON.stringify(options)}`;
  const format = made.get(key) ?? new Intl.DateTimeFormat(language, options);
  made.set(key, format);
  return format;
}

export function listFormatOf(language: string): Intl.ListFormat {
  const format = madeOfLists.get(language) ?? new Intl.ListFormat(language);
  madeOfLists.set(language, format);
  return format;
}
