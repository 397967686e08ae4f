// Formats of dates, made once for each language: a message to a guest may be in another one than the page.

const made = new Map<string, Intl.DateTimeFormat>();

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
