// The thread that reads one calendar: it may run into its limits, and is then ended from outside.
import { parentPort } from 'node:worker_threads';
import type { CalendarEntry } from '../policy/calendar-ports.ts';
import { parseBody } from './parse-calendar.ts';
import type { ParserAnswer, ParserTask } from './parser-messages.ts';

/** The approximate size of a portion in characters: receiving it takes a few milliseconds. */
const PORTION_CHARACTERS = 200_000;
/** The approximate size of an entry beside its texts, in characters. */
const ENTRY_CHARACTERS = 200;

function* answersTo(task: ParserTask): Generator<ParserAnswer> {
  const parsed = parseBody(task);
  if (parsed.kind === 'failed') {
    yield parsed;
    return;
  }
  for (const entries of portionsOf(parsed.entries)) {
    yield { kind: 'some', entries };
  }
  const { entries: _entries, ...facts } = parsed;
  yield { ...facts, kind: 'end' };
}

function* portionsOf(entries: readonly CalendarEntry[]): Generator<readonly CalendarEntry[]> {
  let portion: CalendarEntry[] = [];
  let characters = 0;
  for (const entry of entries) {
    portion.push(entry);
    characters += ENTRY_CHARACTERS + entry.uid.length + entry.summary.length + entry.description.length;
    if (characters >= PORTION_CHARACTERS) {
      yield portion;
      [portion, characters] = [[], 0];
    }
  }
  yield portion;
}

parentPort?.once('message', (task: ParserTask) => {
  const answers = answersTo(task);
  const sendNext = (): void => parentPort?.postMessage(answers.next().value);
  // Each later message asks for more.
  parentPort?.on('message', sendNext);
  sendNext();
});
