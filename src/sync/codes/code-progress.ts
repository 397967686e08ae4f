// How each operation on access codes goes: those under way, and the latest that ended. It never holds a PIN.
import type { CodeOperation, CodePhase, CodeProgress } from '../../domain/code-operation.ts';
import type { CodeEnd } from '../../domain/code-operation-policy.ts';
import type { EventBus } from '../event-bus.ts';

/** Ended operations whose end can still be asked for (our choice). */
const KEPT_ENDS = 200;

export class CodeProgressBook {
  readonly #bus: Pick<EventBus, 'emit'>;
  readonly #all = new Map<string, CodeProgress>();

  constructor(bus: Pick<EventBus, 'emit'>) {
    this.#bus = bus;
  }

  all(): readonly CodeProgress[] {
    return [...this.#all.values()];
  }

  get(id: string): CodeProgress | undefined {
    return this.#all.get(id);
  }

  begin({ id, lockId, request, requestedAt }: CodeOperation, name: string | null): CodeProgress {
    const progress: CodeProgress = {
      id,
      lockId,
      kind: request.kind,
      codeId: 'codeId' in request ? request.codeId : null,
      name,
      requestedAt,
      phase: 'queued',
      waitingFor: null,
      failure: null,
    };
    this.#all.set(id, progress);
    return progress;
  }

  reached(id: string, phase: CodePhase, waitingFor: string | null): void {
    const before = this.#all.get(id);
    if (before !== undefined && (before.phase !== phase || before.waitingFor !== waitingFor)) {
      this.#change({ ...before, phase, waitingFor });
    }
  }

  ended(id: string, end: CodeEnd): void {
    const before = this.#all.get(id);
    if (before !== undefined) {
      const change =
        end.kind === 'done'
          ? ({ phase: 'done', codeId: end.codeId ?? before.codeId } as const)
          : ({ phase: 'failed', failure: end.failure } as const);
      this.#change({ ...before, waitingFor: null, ...change });
    }
    this.#trim();
  }

  #change(operation: CodeProgress): void {
    this.#all.set(operation.id, operation);
    this.#bus.emit({ type: 'code-operation', operation });
  }

  #trim(): void {
    const ended = this.all().filter(({ phase }) => phase === 'done' || phase === 'failed');
    for (const { id } of ended.slice(0, -KEPT_ENDS)) {
      this.#all.delete(id);
    }
  }
}
