// What runs the plugin, as a page names it: Homebridge, or the service of `latchkey serve`; and sentences reworded for that.

export interface HostWords {
  /** As in "restart Homebridge". */
  readonly name: string;
  /** The name in "another Homebridge process". */
  readonly process: string;
}

const HOMEBRIDGE: HostWords = { name: 'Homebridge', process: 'Homebridge process' };
const SERVICE: HostWords = { name: 'the service', process: 'process' };

export function hostWords({ status }: { readonly status: { readonly host: string } | null }): HostWords {
  return status?.host === 'service' ? SERVICE : HOMEBRIDGE;
}

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
