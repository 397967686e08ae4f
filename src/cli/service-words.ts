// Sentences that are written for Homebridge, as a service without it says them.

const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\b(restart|start|stop) Homebridge\b/giu, '$1 the service'],
  [/ storage folder of Homebridge\b/gu, ' storage folder'],
  [/\bThe plugin\b/gu, 'The service'],
  [/\bthe plugin\b/gu, 'the service'],
  [/ in the Homebridge UI\b/gu, ''],
  [/\bHomebridge process\b/gu, 'process'],
];

export function inServiceWords(text: string): string {
  return WORDS.reduce((said, [words, instead]) => said.replace(words, instead), text);
}
