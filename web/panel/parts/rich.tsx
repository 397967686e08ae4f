// Sentences with parts of the page in them, in the language of the reader.
import type { ComponentChildren, VNode } from 'preact';
import type { Literal } from '../../../src/domain/language/message.ts';
import { tRich as formatted } from '../../../src/words/translate.ts';

type Parts = (ComponentChildren | VNode)[];

/** The tags that every sentence may hold. */
const TAGS = {
  b: (parts: Parts) => <b>{parts}</b>,
  bdi: (parts: Parts) => <bdi>{parts}</bdi>,
  code: (parts: Parts) => <code>{parts}</code>,
  em: (parts: Parts) => <em>{parts}</em>,
  strong: (parts: Parts) => <strong>{parts}</strong>,
};

/** `values`: text, numbers, parts of the page, and what other tags make of the words in them. */
export function tRich<Text extends string>(
  text: Literal<Text>,
  values: Readonly<Record<string, string | number | VNode | ((parts: Parts) => VNode)>> = {},
): ComponentChildren {
  return formatted<Text, ComponentChildren>(text, { ...TAGS, ...values });
}

/** For a tag around words that lead to another page, which opens in a tab of its own. */
export function linkTo(href: string): (parts: Parts) => VNode {
  return (parts) => (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {parts}
    </a>
  );
}
