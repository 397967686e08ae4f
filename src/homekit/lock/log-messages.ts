// Log lines about a lock: the event, then the advice; one line each for a loss and a return.

import type { RequestRefusal } from '../../domain/commands/intent-policy.ts';
import { type Message, message } from '../../domain/language/message.ts';
import { type Accessor, speakableName } from '../../domain/locks/access.ts';
import { type BoltPosition, isBoltPosition } from '../../domain/locks/bolt.ts';
import { boltOf, type Lock } from '../../domain/locks/lock.ts';
import type { LastMove } from '../../domain/locks/move.ts';
import { REPORTED_WITHIN_MS } from '../../domain/time/time.ts';
import type { AlertReport } from '../../domain/webhooks/service-event.ts';
import { type Log, oneLine } from '../../support/log.ts';
import { refusedRequest } from '../../words/commands.ts';
import {
  ALERT_WORDS,
  BOLT_WORDS,
  batteryWords,
  boltNews,
  JAM_ADVICE,
  presenceNews,
  saysWho,
} from '../../words/locks.ts';
import { closed } from '../../words/sentence.ts';
import { t } from '../../words/translate.ts';
import type { BatteryChange } from './battery-service.ts';

/** One log line, with the lock's name in front. */
export interface LogLine {
  readonly level: Exclude<keyof Log, 'news'>;
  /** Composed when it is asked for: of a flood, most lines are not written. */
  readonly text: string;
}

type Described = Pick<Lock, 'description'>;

/** A lock's name, safe for the log. */
export function logName(name: string): string {
  return oneLine(name.trim() === '' ? t('A lock without a name') : name);
}

/** A line about one lock, safe for the log. */
export function lineAbout(lock: Described, level: LogLine['level'], words: string | (() => string)): LogLine {
  return {
    level,
    get text() {
      const said = typeof words === 'string' ? words : words();
      return oneLine(`${logName(lock.description.name)}: ${said}`);
    },
  };
}

export function say(log: Log, line: LogLine): void {
  if (line.level === 'info' && log.news !== undefined) {
    log.news(() => line.text);
  } else {
    log[line.level](line.text);
  }
}

/** The lines for the step from one state of a lock to the next. */
export function logMessages(previous: Lock, lock: Lock): readonly LogLine[] {
  return [...presenceLines(previous, lock), ...boltLines(previous, lock)];
}

export function refusalLine(lock: Described, target: BoltPosition, reason: RequestRefusal): LogLine {
  return lineAbout(lock, 'warn', refusedRequest(target, reason));
}

const ALERT_ADVICE: Readonly<Record<AlertReport['type'], readonly [LogLine['level'], Message | null]>> = {
  'wrong-code': ['info', null],
  'keypad-locked-out': ['warn', message('Wait, or unlock another way.')],
  alarm: ['warn', message('Check the lock.')],
};

export function alertLine(lock: Described, alert: AlertReport['type']): LogLine {
  const [level, advice] = ALERT_ADVICE[alert];
  const news = t(ALERT_WORDS[alert]);
  return lineAbout(lock, level, advice === null ? news : `${closed(news)} ${t(advice)}`);
}

export function batteryLine(lock: Pick<Lock, 'description' | 'battery'>, change: BatteryChange): LogLine {
  const { percent } = lock.battery;
  return change === 'low'
    ? lineAbout(
        lock,
        'warn',
        t('battery {charge}. Replace the batteries soon.', {
          charge: batteryWords({ grade: 'low', percent }),
        }),
      )
    : lineAbout(
        lock,
        'info',
        percent === null
          ? t('battery OK again')
          : t('battery OK again, {charge}', { charge: batteryWords({ grade: 'unknown', percent }) }),
      );
}

function presenceLines(previous: Lock, lock: Lock): readonly LogLine[] {
  if (previous.presence === lock.presence) {
    return [];
  }
  const news = presenceNews(lock.presence, previous.presence);
  switch (lock.presence) {
    case 'missing':
      return [lineAbout(lock, 'warn', `${closed(news)} ${t("Check in the lock's app.")}`)];
    case 'offline':
      return [lineAbout(lock, 'warn', `${closed(news)} ${t('Check its Wi-Fi and batteries.')}`)];
    case 'reachable':
      return [lineAbout(lock, 'info', news)];
  }
}

function boltLines(previous: Lock, lock: Lock): readonly LogLine[] {
  const bolt = boltOf(lock);
  if (bolt === boltOf(previous)) {
    const { lastMove } = lock;
    const isKnown = lastMove?.isErased === true || lastMove?.by === previous.lastMove?.by;
    return lastMove === null || isKnown ? [] : learnedLines(lock, lastMove);
  }
  switch (bolt) {
    case 'jammed':
      return [lineAbout(lock, 'warn', `${closed(t(BOLT_WORDS.jammed))} ${t(JAM_ADVICE)}`)];
    case 'unknown':
      return [unknownLine(previous, lock)];
    case 'secured':
    case 'unsecured':
      return [lineAbout(lock, 'info', () => boltNews(bolt, moverOf(lock, bolt)))];
  }
}

function unknownLine(previous: Lock, lock: Lock): LogLine {
  // The loss of a lock that is offline or missing has a line already.
  const level = previous.presence === 'reachable' && lock.presence === 'reachable' ? 'warn' : 'debug';
  return lineAbout(
    lock,
    level,
    lock.belief.stale ? t('bolt position unknown: no update for too long') : boltNews('unknown'),
  );
}

/**
 * A move reported after its position is known: a debug line unless it led to the present position just now, and then none
 * where it does not say who it was, because the position has its line.
 */
function learnedLines(lock: Lock, move: LastMove): readonly LogLine[] {
  const by = speakable(move.by);
  const words = (): string => boltNews(move.to, by);
  if (move.isCorrected === true) {
    const corrected = (): string => t('not by our command, as the service says: {news}', { news: words() });
    return [lineAbout(lock, 'info', corrected)];
  }
  const lateMs = (lock.belief.latest?.at ?? move.at) - move.at;
  if (move.to !== boltOf(lock) || lateMs > REPORTED_WITHIN_MS) {
    const late = (): string => `reported late: ${words()} at ${new Date(move.at).toISOString()}`;
    return [lineAbout(lock, 'debug', late)];
  }
  return saysWho(by) ? [lineAbout(lock, 'info', words)] : [];
}

/** Who made the latest move, if it explains the position. */
function moverOf({ lastMove, belief: { latest } }: Lock, bolt: BoltPosition): Accessor | null {
  if (lastMove?.to === bolt && (latest === null || lastMove.at >= latest.at)) {
    return speakable(lastMove.by);
  }
  const isOwn = latest?.source === 'command' && isBoltPosition(latest.bolt);
  return isOwn ? { method: 'own-command', id: null, name: null } : null;
}

function speakable(by: Accessor): Accessor {
  return { ...by, name: speakableName(by.name) };
}
