// Sentences reworded for an account that runs without Homebridge, as the service of `latchkey serve`.

const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\b(restart|start|stop) Homebridge\b/giu, '$1 the service'],
  [/ storage folder of Homebridge\b/gu, ' storage folder'],
  [/\bThe plugin\b/gu, 'The service'],
  [/\bthe plugin\b/gu, 'the service'],
  [/ in the Homebridge UI(?:'s editor)?(?!')\b/gu, ''],
  [/\bHomebridge runs as\b/gu, 'the service runs as'],
  [/\bHomebridge process\b/gu, 'process'],
];

export function inServiceWords(text: string): string {
  return WORDS.reduce((said, [words, instead]) => said.replace(words, instead), text);
}

/** The same error, with its message in these words. What they change is English alone: a translation says "Homebridge". */
export function sayForService(thrown: unknown): unknown {
  if (thrown instanceof Error) {
    const said = inServiceWords(thrown.message);
    if (said !== thrown.message && 'words' in thrown) {
      thrown.words = null;
    }
    thrown.message = said;
  }
  return thrown;
}
