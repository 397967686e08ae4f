// Reads which values an ICU message takes, and the choices of its plurals and selections.

interface Place {
  readonly text: string;
  at: number;
  readonly found: string[];
}

/** "name:kind" of each value, sorted; throws for a message that is not well formed. A choice needs its `other`. */
export function icuArguments(message: string): readonly string[] {
  const place: Place = { text: message, at: 0, found: [] };
  readPattern(place);
  if (place.at < message.length) {
    throw new Error(`a brace closes nothing: ${message}`);
  }
  return [...new Set(place.found)].toSorted();
}

/** Up to the end, or to the brace that closes the branch of a choice. */
function readPattern(place: Place): void {
  while (place.at < place.text.length && place.text[place.at] !== '}') {
    if (place.text[place.at] === '{') {
      readArgument(place);
    } else {
      place.at += 1;
    }
  }
}

function readArgument(place: Place): void {
  const [head, name = '', kind = 'text'] = taken(place, /\{\s*(\w+)\s*(?:,\s*(\w+)\s*)?/y);
  if (head === undefined) {
    throw new Error(`a brace opens no value: ${place.text}`);
  }
  place.found.push(`${name}:${kind}`);
  const isChoice = ['plural', 'select', 'selectordinal'].includes(kind);
  const choices = isChoice ? readChoices(place) : (taken(place, /(?:,[^{}]*)?/y), null);
  if (choices?.includes('other') === false || taken(place, /\s*\}/y)[0] === undefined) {
    throw new Error(`a value does not end, or has no "other": ${place.text}`);
  }
}

function readChoices(place: Place): readonly string[] {
  const choices: string[] = [];
  taken(place, /,\s*/y);
  for (;;) {
    const [head, choice = ''] = taken(place, /\s*(=\d+|\w+)\s*\{/y);
    if (head === undefined) {
      return choices;
    }
    choices.push(choice);
    readPattern(place);
    place.at += 1;
  }
}

/** What the pattern matches here, and moves behind it. */
function taken(place: Place, pattern: RegExp): readonly (string | undefined)[] {
  pattern.lastIndex = place.at;
  const match = pattern.exec(place.text) ?? [];
  place.at += match[0]?.length ?? 0;
  return match;
}
