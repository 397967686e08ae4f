// The options of every lock in force: config.json, then the settings of pages, written to disk before they take effect.
import type { Config } from '../config/config.ts';
import { changedLockSettings, readKeptLockSettings } from '../config/kept-lock-settings.ts';
import { effectiveLockOptions } from '../config/lock-options.ts';
import type { LockRow } from '../config/options/option-table.ts';
import { problemSentences } from '../config/options/problem-line.ts';
import { type Lock, type LockId, lockId } from '../domain/locks/lock.ts';
import type { SourcedValues } from '../domain/locks/settings.ts';
import type { PanelEvent } from '../panel/panel-event.ts';
import type { LockSettingsApi, LockSettingsView } from '../panel/views/lock-settings.ts';
import type { KeptValues } from '../storage/account/settings.ts';
import type { Emitter } from '../support/emitter.ts';
import { FinalError } from '../support/errors.ts';
import { type Log, oneLine } from '../support/log.ts';
import { t } from '../words/translate.ts';

/** Prefix of the names under which settings of single locks are stored; the lock's id follows. */
const KEY = 'lock.';

export class KeptLockOptions implements LockSettingsApi {
  readonly #parts;
  /** The options are read once: every request needs them, and no disk may delay it. */
  #kept: ReadonlyMap<string, LockRow>;

  /** Throws storage errors: without the stored restrictions no command may start. */
  constructor(parts: {
    readonly config: Config;
    readonly settings: KeptValues;
    readonly log: Log;
    /** Receives an event for every lock whose options may have changed. */
    readonly events: Pick<Emitter<PanelEvent>, 'emit'>;
  }) {
    this.#parts = parts;
    this.#kept = this.#read();
  }

  optionsFor(id: LockId): SourcedValues {
    return effectiveLockOptions(this.#parts.config, this.#keptOf(id), id);
  }

  /** The same by lock, with those of features: only what was written or kept. */
  rows(): ReadonlyMap<string, LockRow> {
    const { locks } = this.#parts.config;
    const kept = [...this.#kept].map(([id, row]) => [id, { ...row, ...locks.get(id) }] as const);
    return new Map([...locks, ...kept]);
  }

  /** Reads the options that another process stored while it owned the account. Throws storage errors. */
  reload(): void {
    const before = this.#kept;
    this.#kept = this.#read();
    for (const id of new Set([...before.keys(), ...this.#kept.keys()])) {
      if (differences(before.get(id) ?? {}, this.#kept.get(id) ?? {}).length > 0) {
        this.#parts.events.emit({ type: 'lock-settings', id: lockId(id) });
      }
    }
  }

  show({ id, description, device }: Lock): LockSettingsView {
    return {
      id,
      accountName: description.name,
      ...this.optionsFor(id),
      offsetMinutes: device?.offsetMinutes ?? null,
    };
  }

  configure(lock: Lock, change: Readonly<Record<string, unknown>>): LockSettingsView {
    const { config, log, events } = this.#parts;
    const kept = this.#keptOf(lock.id);
    const reading = changedLockSettings({ config, lockId: lock.id, kept, change });
    if (!reading.ok) {
      throw new FinalError('bad-request', problemSentences(reading.problems));
    }
    const changed = differences(kept, reading.settings);
    if (changed.length > 0) {
      this.#save(lock.id, reading.settings);
      log.info(
        oneLine(
          t('{name}: changed on a page: {options}', {
            name: lock.description.name,
            options: changed.join(', '),
          }),
        ),
      );
      events.emit({ type: 'lock-settings', id: lock.id });
    }
    return this.show(lock);
  }

  /**
   * A new lock gets the settings of the old one that it lacks, also those of config.json: what was forbidden stays so. Not
   * `hide`: the old lock may be hidden because it is broken. False: there were none. Throws storage errors.
   */
  moveTo(old: LockId, by: LockId): boolean {
    const before = this.#keptOf(by);
    const { hide: _hide, ...former } = { ...this.#keptOf(old), ...this.#parts.config.locks.get(old) };
    const after = { ...former, ...before };
    const isChanged = differences(before, after).length > 0;
    if (isChanged) {
      this.#save(by, after);
      this.#parts.events.emit({ type: 'lock-settings', id: by });
    }
    return isChanged;
  }

  #keptOf(id: LockId): LockRow {
    return this.#kept.get(id) ?? {};
  }

  #save(id: LockId, settings: LockRow): void {
    if (Object.keys(settings).length === 0) {
      this.#parts.settings.erase(`${KEY}${id}`);
    } else {
      this.#parts.settings.write(`${KEY}${id}`, settings);
    }
    this.#kept = new Map(this.#kept).set(id, settings);
  }

  #read(): ReadonlyMap<string, LockRow> {
    const rows = [...this.#parts.settings.all()].filter(([key]) => key.startsWith(KEY));
    return new Map(rows.map(([key, value]) => [key.slice(KEY.length), readKeptLockSettings(value)]));
  }
}

/** The options of which something else is kept. */
function differences(a: LockRow, b: LockRow): readonly string[] {
  return Object.keys({ ...a, ...b }).filter((name) => Reflect.get(a, name) !== Reflect.get(b, name));
}
