// A row of the panel's list of operations: who may call it, what a call does, and its input, which is validated first.
import { z } from 'zod';
import { lockId } from '../../domain/locks/lock.ts';
import { FinalError } from '../../support/errors.ts';

/** `pages`: every page, and other processes of this user. `processes`: those alone, such as the command line. */
export type Callers = 'pages' | 'processes';

/**
 * `reads`: a call without an answer has changed nothing, and may be repeated. `changes`: it may have happened.
 * `gives-secrets`: it changes, and sends a person's secret to the service that the owner calls.
 */
export type Effect = 'reads' | 'changes' | 'gives-secrets';

export interface Operation<Parts, Result, Who extends Callers = Callers> {
  readonly callers: Who;
  readonly effect: Effect;
  /** Rejects with a final `bad-request` for an input that is not of its form; it names the member, never its value. */
  readonly perform: (parts: Parts, input: unknown) => Promise<Result>;
}

/** The schema of an input, built at the first call: most homes never open a page, and schemas of all operations take half a megabyte. */
type SchemaOf<Input> = () => z.ZodType<Input>;

/** For operations that need no input; any input is ignored. */
export const nothing = () => z.object({}).loose().optional();

export const oneLock = () => z.object({ lock: z.string().min(1).transform(lockId) });

export function operation<Who extends Callers, Parts, Input, Result>(
  callers: Who,
  effect: Effect,
  schemaOf: SchemaOf<Input>,
  run: (parts: Parts, input: Input) => Result | Promise<Result>,
): Operation<Parts, Result, Who> {
  let schema: z.ZodType<Input> | null = null;
  return {
    callers,
    effect,
    perform: async (parts, input) => {
      schema ??= schemaOf();
      const parsed = schema.safeParse(input);
      if (!parsed.success) {
        const members = parsed.error.issues.map((issue) => issue.path.join('.') || 'input');
        throw new FinalError('bad-request', `The request is not as it should be: ${members.join(', ')}.`);
      }
      return run(parts, parsed.data);
    },
  };
}

/** Rows over one part of the account, which `choose` takes out of the parts. */
export function rows<Parts, Api>(choose: (parts: Parts) => Api) {
  const rowsFor =
    <Who extends Callers>(callers: Who) =>
    <Input, Result>(
      effect: Effect,
      schema: SchemaOf<Input>,
      run: (api: Api, input: Input) => Result | Promise<Result>,
    ): Operation<Parts, Result, Who> =>
      operation(callers, effect, schema, (parts: Parts, input) => run(choose(parts), input));
  return { pages: rowsFor('pages'), processes: rowsFor('processes') };
}

export function pageRows<Parts, Api>(choose: (parts: Parts) => Api) {
  return rows(choose).pages;
}
