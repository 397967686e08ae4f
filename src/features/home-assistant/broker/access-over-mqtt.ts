// Access codes and guests over MQTT: lists them without their digits, takes commands, and reports how those end.

import { accessCodeId } from '../../../domain/codes/access-code.ts';
import type { CodeFault } from '../../../domain/codes/access-code-policy.ts';
import { type CodeProgress, hasEnded } from '../../../domain/codes/operation.ts';
import { speakableName } from '../../../domain/locks/access.ts';
import { type LockId, lockId } from '../../../domain/locks/lock.ts';
import type { RuntimeEvent, RuntimeView } from '../../../engine/account-runtime.ts';
import type { Guests } from '../../../engine/codes/guests.ts';
import type { Clock } from '../../../support/clock.ts';
import { asLatchkeyError } from '../../../support/errors.ts';
import type { RemotePin } from '../../../support/remote-pin.ts';
import { inEnglish, t } from '../../../words/translate.ts';
import { type AccessCommand, readAccessCommand } from './access-command.ts';
import type { BrokerMemory } from './broker-memory.ts';
import type { CommandRefusals } from './command-refusals.ts';
import type { ReceivedCommand } from './freshness.ts';
import type { MqttLockOptions } from './lock-options.ts';
import { ACCESS_REFUSALS } from './refusals.ts';
import { pinRefusal } from './set-command.ts';
import type { AccessTopics, AccountTopics, LockTopics } from './topics.ts';

/** Every `event_type`, as announced to Home Assistant. */
export const ACCESS_EVENT_TYPES = [
  'listed',
  'started',
  'added',
  'updated',
  'removed',
  'changed',
  'failed',
  'refused',
] as const;

/** Digits are in no member. */
interface AccessEvent extends Readonly<Record<string, unknown>> {
  readonly event_type: (typeof ACCESS_EVENT_TYPES)[number];
}

export type BrokeredGuests = Pick<Guests, 'list' | 'add' | 'remove'>;

/** `lock`: null for the guests of the account. */
interface AccessPlace {
  readonly topics: AccessTopics;
  readonly lock: LockId | null;
}

const ENDED_AS = { add: 'added', update: 'updated', remove: 'removed', 'remove-all': 'removed' } as const;

export class AccessOverMqtt {
  readonly #parts;

  constructor(parts: {
    readonly topics: AccountTopics;
    readonly shown: ReadonlyMap<LockId, { readonly topics: LockTopics }>;
    readonly runtime: Pick<RuntimeView, 'codes' | 'serviceTime' | 'locks'>;
    readonly guests: BrokeredGuests;
    readonly optionsFor: (id: LockId) => MqttLockOptions;
    readonly memory: Pick<BrokerMemory, 'lastAskedAt' | 'asked'>;
    readonly refusals: CommandRefusals;
    readonly pin: RemotePin | null;
    readonly beganMs: number;
    readonly emit: (topic: string, event: object) => void;
    readonly clock: Clock;
  }) {
    this.#parts = parts;
  }

  /** Events report the outcome. Never rejects. */
  async command(message: ReceivedCommand): Promise<void> {
    const place = this.#placeOf(message.topic);
    if (place !== null) {
      await this.#command(place, message);
    }
  }

  hear(event: RuntimeEvent): void {
    if (event.type === 'codes-changed') {
      this.#ofShown(event.id, { event_type: 'changed' });
    } else if (event.type === 'code-operation' && hasEnded(event.operation)) {
      this.#ofShown(event.operation.lockId, endOf(event.operation));
    }
  }

  #ofShown(id: LockId, event: AccessEvent): void {
    const lock = this.#parts.shown.get(id);
    if (lock !== undefined) {
      this.#parts.emit(lock.topics.codes.event, event);
    }
  }

  #placeOf(topic: string): AccessPlace | null {
    const { topics, shown } = this.#parts;
    if (topic === topics.guests.set) {
      return { topics: topics.guests, lock: null };
    }
    const found = [...shown].find(([, lock]) => lock.topics.codes.set === topic);
    return found === undefined ? null : { topics: found[1].topics.codes, lock: found[0] };
  }

  async #command(place: AccessPlace, { payload, repeat }: ReceivedCommand): Promise<void> {
    const { runtime, clock, memory, beganMs, refusals, pin } = this.#parts;
    // Beside those of bolts: a lock is not barred by a code, nor a code by a lock.
    const key = `access ${place.lock ?? ''}`;
    const reading = readAccessCommand({
      payload,
      repeat,
      time: runtime.serviceTime(),
      servedForMs: clock.monotonic() - beganMs,
      lastAskedAt: memory.lastAskedAt(key),
      mayUnlock: (command) => this.#mayUnlock(place, command),
      pinRefusal: (sent) => pinRefusal(pin, sent),
    });
    if (reading?.kind === 'refused') {
      const { reason } = reading;
      const words = (): string => t(ACCESS_REFUSALS[reason]);
      refusals.refused(t('Access codes'), reason, words());
      this.#emit(place, { event_type: 'refused', reason, words: inEnglish(words) });
    } else if (reading?.kind === 'command') {
      try {
        if (reading.askedAt !== null && reading.command.action !== 'list') {
          memory.asked(key, reading.askedAt);
        }
        const { command } = reading;
        const { lock } = place;
        this.#emit(place, lock === null ? this.#ofGuests(command) : await this.#ofLock(lock, command));
      } catch (error) {
        const { code, message } = asLatchkeyError(error);
        this.#emit(place, { event_type: 'failed', reason: code, words: message });
      }
    }
  }

  async #ofLock(id: LockId, command: AccessCommand): Promise<AccessEvent> {
    const { codes } = this.#parts.runtime;
    if (command.action === 'list') {
      const listed = (await codes.list(id)).codes.map((code) => ({
        id: code.id,
        name: speakableName(code.name),
        schedule: code.schedule,
        read_only: code.readOnly,
      }));
      return { event_type: 'listed', codes: listed };
    }
    const answer =
      command.action === 'add'
        ? await codes.add(id, command.draft)
        : await codes.remove(id, accessCodeId(command.id));
    return answer.kind === 'started'
      ? { event_type: 'started', action: command.action, name: speakableName(answer.operation.name) }
      : invalid(answer.faults);
  }

  #ofGuests(command: AccessCommand): AccessEvent {
    const { guests } = this.#parts;
    if (command.action === 'list') {
      return { event_type: 'listed', guests: guests.list().flatMap((guest) => this.#listed(guest)) };
    }
    if (command.action === 'remove') {
      guests.remove(command.id);
      // The code is gone from the locks later; a list says where it is not yet.
      return { event_type: 'started', action: 'remove', id: command.id };
    }
    const locks = command.locks === 'all' ? 'all' : command.locks.map(lockId);
    const answer = guests.add(command.draft, locks);
    return answer.kind === 'saved'
      ? {
          event_type: 'started',
          action: 'add',
          id: answer.guest.id,
          name: speakableName(answer.guest.name),
          name_on_lock: speakableName(answer.guest.nameOnLock),
        }
      : invalid(answer.faults);
  }

  /** Without locks that are hidden; none for a guest of these alone. */
  #listed(guest: ReturnType<BrokeredGuests['list']>[number]): object | readonly [] {
    const { id, name, nameOnLock, schedule, isLeaving } = guest;
    const isShown = (lock: LockId): boolean => !this.#parts.optionsFor(lock).hidden;
    const locks = guest.locks === 'all' ? 'all' : guest.locks.filter(isShown);
    const onLocks = guest.onLocks.filter(({ lockId: lock }) => isShown(lock));
    const all = [...(guest.locks === 'all' ? [] : guest.locks), ...guest.onLocks.map((one) => one.lockId)];
    return all.length > 0 && !all.some(isShown)
      ? []
      : {
          id,
          name: speakableName(name),
          name_on_lock: speakableName(nameOnLock),
          schedule,
          locks,
          is_leaving: isLeaving,
          on_locks: onLocks.map(({ lockId: lock, standing }) => ({ lock, standing: standing.kind })),
        };
  }

  /** Who may not unlock a lock over MQTT may not make a code for it either. */
  #mayUnlock({ lock }: AccessPlace, command: AccessCommand): boolean {
    const { runtime, optionsFor } = this.#parts;
    if (command.action !== 'add') {
      return true;
    }
    const named = command.locks === 'all' ? runtime.locks().map(({ id }) => id) : command.locks.map(lockId);
    return (lock === null ? named : [lock]).every((id) => {
      const { hidden, commands, remoteUnlock } = optionsFor(id);
      return !hidden && remoteUnlock && commands === 'both';
    });
  }

  #emit({ topics }: AccessPlace, event: AccessEvent): void {
    this.#parts.emit(topics.event, event);
  }
}

/** How a change of a lock's codes ended, wherever it was asked. */
function endOf({ kind, codeId, name, failure }: CodeProgress): AccessEvent {
  const common = { action: kind, id: codeId, name: speakableName(name) };
  return failure === null
    ? { event_type: ENDED_AS[kind], ...common }
    : { event_type: 'failed', ...common, reason: failure.reason, words: inEnglish(() => t(failure.words)) };
}

function invalid(faults: readonly CodeFault[]): AccessEvent {
  const words = inEnglish(() => faults.map((fault) => t(fault.words)).join(' '));
  return { event_type: 'refused', reason: faults[0]?.reason ?? 'values-invalid', words };
}
