// Short keys for English sentences: a translation that the pages load has these in place of the sentences themselves.

/** FNV-1a over UTF-16, in 32 bits. The build refuses two sentences with one key. */
export function sentenceKey(english: string): string {
  let hash = 0x811c9dc5;
  for (let place = 0; place < english.length; place += 1) {
    hash = Math.imul(hash ^ english.charCodeAt(place), 0x01000193);
  }
  return (hash >>> 0).toString(36);
}

/** The translations under their keys. Throws where two sentences of all that can be shown have the same. */
export function keyed(
  messages: Readonly<Record<string, string>>,
  sentences: Iterable<string>,
): Readonly<Record<string, string>> {
  const taken = new Map<string, string>();
  for (const sentence of sentences) {
    const key = sentenceKey(sentence);
    const other = taken.get(key);
    if (other !== undefined && other !== sentence) {
      throw new Error(`Two sentences have one key; change a word of either: "${other}" and "${sentence}"`);
    }
    taken.set(key, sentence);
  }
  const known = new Set(taken.values());
  return Object.fromEntries(
    Object.entries(messages).flatMap(([english, translation]) =>
      known.has(english) ? [[sentenceKey(english), translation]] : [],
    ),
  );
}
