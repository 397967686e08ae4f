// Reads which values and tags an ICU message takes, and the choices of its plurals and selections.
import { IntlMessageFormat } from 'intl-messageformat';

type Part = ReturnType<IntlMessageFormat['getAst']>[number];

/** "name:kind" of each value and tag, sorted; throws for a message that is not well formed, or lacks an `other`. */
export function icuArguments(message: string): readonly string[] {
  return [...new Set(new IntlMessageFormat(message, 'en').getAst().flatMap(argumentsOf))].toSorted();
}

/** What the parser calls them by number. */
const KINDS = ['literal', 'text', 'number', 'date', 'time', 'select', 'plural', '#', 'tag'];
const NO_VALUE = new Set(['literal', '#']);

function argumentsOf(part: Part): readonly string[] {
  const kind = KINDS[part.type] ?? '';
  const within = [
    ...('options' in part && part.options !== undefined ? Object.values(part.options) : []).flatMap(
      ({ value }) => value,
    ),
    ...('children' in part ? part.children : []),
  ];
  const own = NO_VALUE.has(kind) || !('value' in part) ? [] : [`${part.value}:${kind}`];
  return [...own, ...within.flatMap(argumentsOf)];
}
