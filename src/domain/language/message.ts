// A sentence for people that is not formatted yet: each reader gets it in their own language.

type Value = string | number | Message;

/** A list is shown with the commas of the reader's language. */
export type MessageValue = Value | readonly Value[];

/** English text as an ICU message, and what stands for its values. */
export interface Message {
  readonly text: string;
  readonly values?: MessageValues;
}

export type MessageValues = Readonly<Record<string, MessageValue>>;

/** Literal text alone: a sentence that is put together elsewhere cannot be found, and so not be translated. */
export type Literal<Text extends string> = string extends Text ? never : Text;

/** Marks a sentence for translation where it is not shown yet, such as in a table or in the result of a rule. */
export function message<Text extends string>(text: Literal<Text>, values?: MessageValues): Message {
  return values === undefined ? { text } : { text, values };
}

/** Text of elsewhere, which nobody translates. */
export function verbatim(text: string): Message {
  return message('{text}', { text });
}

/** Of a value that came over a line. */
export function isMessage(value: unknown): value is Message {
  return (
    typeof value === 'object' &&
    value !== null &&
    'text' in value &&
    typeof value.text === 'string' &&
    Object.keys(value).every((name) => name === 'text' || name === 'values')
  );
}
