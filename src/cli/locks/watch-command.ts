// `latchkey watch`: prints the state of the locks, then a line for every event, until stopped.

import type { Command } from 'commander';
import type { PanelEvent } from '../../panel/panel-event.ts';
import type { LockView } from '../../panel/views/lock.ts';
import { oneLine } from '../../support/log.ts';
import { machineOffset } from '../../support/zone-offset.ts';
import { LINK_WORDS } from '../../words/account.ts';
import { ALERT_WORDS, ROSTER_NEWS } from '../../words/locks.ts';
import { t } from '../../words/translate.ts';
import type { CommandContext, End } from '../account/account-command.ts';
import { verbs } from '../account/verb.ts';
import type { ExitStatus } from '../terminal/exit-status.ts';
import { changeLines, localTime, lockLines, nameOf, stateWords } from '../terminal/lock-lines.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { printProblems } from './locks-command.ts';

export function watchCommand(terminal: Terminal, end: End): Command {
  const description = t('print a line for everything that happens, until Ctrl-C');
  return verbs(terminal, end)('watch', description, [], watch, () => ({ untilStopped: true }));
}

async function watch(context: CommandContext): Promise<ExitStatus> {
  const { session, output, terminal } = context;
  const tool = await session.tool();
  const watcher = new Watcher(context);
  const { promise: lost, reject } = Promise.withResolvers<never>();
  session.listen({
    onEvent: (event) => watcher.hear(event),
    resumed: (locks) => watcher.compare(locks),
    lost: reject,
  });
  const [status, locks] = await Promise.all([tool.call('status'), tool.call('locks')]);
  output.answer(locks, lockLines(locks, terminal.clock.now()));
  watcher.begin(locks);
  // A later link, or a service that recovers, arrives as an event: waiting makes sense.
  printProblems(output, status, locks);
  return lost;
}

/** Remembers the last printed state of each lock, so that only changes are printed. */
class Watcher {
  readonly #context: CommandContext;
  readonly #known = new Map<string, LockView>();
  /** True once the list is printed: from then on an unknown lock is a new one. */
  #begun = false;

  constructor(context: CommandContext) {
    this.#context = context;
  }

  begin(locks: readonly LockView[]): void {
    for (const lock of locks) {
      this.#known.set(lock.id, lock);
    }
    this.#begun = true;
  }

  hear(event: PanelEvent): void {
    if (event.type === 'lock') {
      this.#changed(event.lock, event);
      return;
    }
    if (event.type === 'lock-removed') {
      this.#known.delete(event.id);
      this.#emit(event, [`${oneLine(event.name)}: ${t(ROSTER_NEWS.removed)}`]);
      return;
    }
    if (event.type === 'alert') {
      const lock = this.#known.get(event.id);
      this.#emit(event, lock === undefined ? [] : [`${nameOf(lock)}: ${t(ALERT_WORDS[event.alert])}`]);
      return;
    }
    if (event.type === 'activity') {
      // Derived from events that are printed already, for pages.
      return;
    }
    this.#emit(
      event,
      event.type === 'link' ? [t('The account is {state}.', { state: LINK_WORDS[event.link] })] : [],
    );
  }

  /** Prints the changes of all locks since they were last printed. */
  compare(locks: readonly LockView[]): void {
    for (const lock of locks) {
      this.#changed(lock, { type: 'lock', lock });
    }
  }

  #changed(lock: LockView, event: PanelEvent): void {
    const before = this.#known.get(lock.id);
    this.#known.set(lock.id, lock);
    if (before === undefined && !this.#begun) {
      return;
    }
    const lines =
      before === undefined
        ? [`${nameOf(lock)}: ${t(ROSTER_NEWS.appeared)}, ${stateWords(lock)}`]
        : changeLines(before, lock);
    if (lines.length > 0) {
      this.#emit(event, lines);
    }
  }

  #emit(event: PanelEvent, lines: readonly string[]): void {
    const { output, terminal } = this.#context;
    const at = terminal.clock.now();
    const time = localTime(at, machineOffset(at)).slice(11, 19);
    if (output.json || lines.length > 0) {
      output.answer(
        { at, ...event },
        lines.map((line) => `${time}  ${line}`),
      );
    }
  }
}
