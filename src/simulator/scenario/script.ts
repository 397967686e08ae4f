// Plays a scenario's script: some steps at their time, some just before the Nth command of a lock.
import type { Clock } from '../../support/clock.ts';
import type { ActionContext } from './action.ts';
import { HOUSE_ACTIONS } from './house-actions.ts';
import { findLock, LOCK_ACTIONS } from './lock-actions.ts';
import type { ScriptStep } from './scenario.ts';

export class Script {
  readonly #context: ActionContext;
  readonly #counted: readonly ScriptStep[];
  readonly #commandCounts = new Map<string, number>();

  /**
   * `act` wraps each step that comes by time: the world must have caught up before, and be armed after it.
   * Steps for a lock that is not there (any more) are passed over.
   */
  constructor(
    steps: readonly ScriptStep[],
    context: ActionContext,
    clock: Clock,
    act: (step: () => void) => void,
  ) {
    this.#context = context;
    this.#counted = steps.filter((step) => step.beforeCommand !== undefined);
    for (const step of steps) {
      if (step.afterMs !== undefined) {
        clock.after(step.afterMs, () => {
          act(() => {
            this.#run(step);
          });
        });
      }
    }
  }

  /** Called with each command that reaches a lock, before the world gets it. */
  beforeCommand(deviceId: string): void {
    if (this.#counted.length === 0) {
      return;
    }
    const count = (this.#commandCounts.get(deviceId) ?? 0) + 1;
    this.#commandCounts.set(deviceId, count);
    for (const step of this.#counted) {
      if (step.beforeCommand === count && this.#deviceOf(step) === deviceId) {
        this.#run(step);
      }
    }
  }

  #run(step: ScriptStep): void {
    const details = step.details ?? {};
    const lockAction = LOCK_ACTIONS.get(step.action);
    if (lockAction === undefined) {
      HOUSE_ACTIONS.get(step.action)?.run(this.#context, details);
      return;
    }
    const deviceId = this.#deviceOf(step);
    if (deviceId !== undefined) {
      lockAction.run(this.#context, deviceId, details);
    }
  }

  #deviceOf(step: ScriptStep): string | undefined {
    return step.lock === undefined ? undefined : findLock(this.#context.world, step.lock);
  }
}
