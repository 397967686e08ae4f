// Plays a scenario's script: some steps at their time, some just before the Nth command of a lock.
import type { Clock } from '../../../src/support/clock.ts';
import type { ActionContext } from './action.ts';
import { findLock, LOCK_ACTIONS } from './lock-actions.ts';
import type { ScriptStep } from './scenario.ts';
import { SERVICE_ACTIONS } from './service-actions.ts';

export class Script {
  readonly #context: ActionContext;
  readonly #counted: readonly ScriptStep[];
  readonly #commandCounts = new Map<string, number>();
  readonly #failures: string[] = [];

  /**
   * `act` wraps each step that comes by time: the world must have caught up before, and be armed after it.
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
          act(() => this.#run(step));
        });
      }
    }
  }

  /** One line for each step that the service refused, such as a code dropped that is not there. */
  get failures(): readonly string[] {
    return this.#failures;
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

  /** A step that cannot be done must not stop the clock, nor fail the partner's call that it came with. */
  #run(step: ScriptStep): void {
    try {
      this.#do(step);
    } catch (error) {
      this.#failures.push(`${step.action}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  #do(step: ScriptStep): void {
    const details = step.details ?? {};
    const lockAction = LOCK_ACTIONS.get(step.action);
    if (lockAction === undefined) {
      SERVICE_ACTIONS.get(step.action)?.run(this.#context, details);
      return;
    }
    const deviceId = this.#deviceOf(step);
    if (deviceId === undefined) {
      throw new Error(`there is no lock "${step.lock ?? ''}"`);
    }
    lockAction.run(this.#context, deviceId, details);
  }

  #deviceOf(step: ScriptStep): string | undefined {
    return step.lock === undefined ? undefined : findLock(this.#context.world, step.lock);
  }
}
