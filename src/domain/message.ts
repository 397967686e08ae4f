// A sentence for people that is not formatted yet: each reader gets it in their own language.

export type MessageValue = string | number | Message;

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
