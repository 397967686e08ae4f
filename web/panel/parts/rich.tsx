// Sentences with parts of the page in them, in the language of the reader.
import type { ComponentChildren, VNode } from 'preact';
import type { Literal } from '../../../src/domain/language/message.ts';
import { tRich as formatted } from '../../../src/words/translate.ts';

type Parts = (ComponentChildren | VNode)[];

/** The tags that a sentence may hold. */
const TAGS = {
  b: (parts: Parts) => <b>{parts}</b>,
  bdi: (parts: Parts) => <bdi>{parts}</bdi>,
  code: (parts: Parts) => <code>{parts}</code>,
  em: (parts: Parts) => <em>{parts}</em>,
  strong: (parts: Parts) => <strong>{parts}</strong>,
};

/** `values`: text, numbers, or parts of the page. In `text`, `<em>`, `<b>`, `<strong>`, `<code>` and `<bdi>` may stand. */
export function tRich<Text extends string>(
  text: Literal<Text>,
  values: Readonly<Record<string, string | number | VNode>> = {},
): ComponentChildren {
  return formatted<Text, ComponentChildren>(text, { ...TAGS, ...values });
}
