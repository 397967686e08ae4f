// Sentences that are written for Homebridge, as a service without it says them.

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

/** The same error, with its message in these words. What is no error is returned as it is. */
export function sayForService(thrown: unknown): unknown {
  if (thrown instanceof Error) {
    thrown.message = inServiceWords(thrown.message);
  }
  return thrown;
}
