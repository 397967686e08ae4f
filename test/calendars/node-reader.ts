// Reads a calendar by node-ical, in the words in which all readers here answer.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { FOLDER } from './programs.ts';

export type Stay = readonly [start: string, end: string];

interface Occurrence {
  readonly start: Date;
  readonly end: Date;
  readonly isFullDay: boolean;
}

interface NodeIcal {
  readonly sync: { parseICS(text: string): Readonly<Record<string, { readonly type?: string }>> };
  expandRecurringEvent(event: unknown, span: { from: Date; to: Date }): readonly Occurrence[];
}

const load = createRequire(join(FOLDER, 'package.json'));

/** The stays of a calendar; the name of the error that it is answered with. */
export function byNodeIcal(text: string, fromMs: number, untilMs: number): readonly Stay[] | string {
  // It is installed beside the other readers, so nothing checks its types.
  const program = load('node-ical') as NodeIcal;
  try {
    return Object.values(program.sync.parseICS(text))
      .filter(({ type }) => type === 'VEVENT')
      .flatMap((event) =>
        program.expandRecurringEvent(event, { from: new Date(fromMs), to: new Date(untilMs) }),
      )
      .map(stayOf);
  } catch (error) {
    return error instanceof Error ? error.name : 'Error';
  }
}

function stayOf({ start, end, isFullDay }: Occurrence): Stay {
  return isFullDay
    ? [dayOf(start), dayOf(end)]
    : [String(Math.floor(start.getTime() / 1_000)), String(Math.floor(end.getTime() / 1_000))];
}

/** It makes days on the clocks of the machine, which are UTC here. */
const dayOf = (at: Date): string => at.toISOString().slice(0, 10).replaceAll('-', '');
