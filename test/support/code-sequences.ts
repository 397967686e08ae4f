// Random sequences of code operations with faults and crashes, judged against a model of what each end promises.
import fc from 'fast-check';
import { type AccessCode, accessCodeId, matchesDraft } from '../../src/domain/codes/access-code.ts';
import { isUnsettled } from '../../src/domain/codes/failure.ts';
import type { CodeProgress, CodeRequest } from '../../src/domain/codes/operation.ts';
import type { CodeCommand } from '../../src/domain/codes/ports.ts';
import { CodeHome, DOOR } from '../homes/codes-home.ts';
import { applied, type CodeMishap } from '../stand-ins/service/codes.ts';
import { stepOf, type ValueOf } from './random-steps.ts';

const number = fc.integer({ min: 0, max: 8 });
const mishap: fc.Arbitrary<CodeMishap> = fc.constantFrom<CodeMishap>(
  'lost-reply',
  'lost-request',
  'held',
  'unsent',
  'limited',
  'busy',
  'never-ends',
  { refused: 'code-exists' },
  { refused: 'code-name-exists' },
  { refused: 'parameters-invalid' },
  { fails: 'lock-silent' },
  { fails: 'lock-silent', done: true },
  { fails: 'code-not-added' },
  { fails: 'lock-busy' },
  { fails: 'general-failure', done: true },
);
const mishapOrNone = fc.option(mishap);

const step = fc.oneof(
  stepOf(6, 'add', { number }),
  stepOf(3, 'update', { which: number, number }),
  stepOf(3, 'remove', { which: number }),
  stepOf(1, 'clear', {}),
  stepOf(3, 'plan', { number, which: number, mishap: mishapOrNone }),
  stepOf(6, 'mishap', { mishap }),
  stepOf(1, 'outage', { on: fc.boolean() }),
  stepOf(6, 'wait', { ms: fc.constantFrom(0, 300, 900, 4_000, 70_000) }),
  stepOf(1, 'slow', { ms: fc.constantFrom(50, 800, 50_000) }),
  stepOf(3, 'crash', {}),
);

type CodeStep = ValueOf<typeof step>;

export const codeSteps = fc.array(step, { minLength: 3, maxLength: 14 });

/** All faults of a run: doubles, and differences between the outcomes of operations and the codes of the lock. */
export async function runCodeSteps(steps: readonly CodeStep[]): Promise<readonly string[]> {
  const home = new CodeHome();
  const run = new CodeRunOfSteps(home);
  for (const one of steps) {
    await run.take(one);
    run.look();
  }
  home.service.unreachable = false;
  home.service.mishaps = [];
  // Longer than any operation may take, one after the other.
  for (let minutes = 0; minutes < 240 && run.isBusy; minutes += 5) {
    await home.clock.advance(300_000);
    run.look();
  }
  await home.clock.advance(200_000);
  run.judge();
  return run.wrongs;
}

class CodeRunOfSteps {
  readonly wrongs: string[] = [];
  readonly #home: CodeHome;
  readonly #requests = new Map<string, CodeRequest>();
  /** The plans of changes, by the change. */
  readonly #plans = new Map<string, string>();

  constructor(home: CodeHome) {
    this.#home = home;
  }

  get isBusy(): boolean {
    return this.#home.open().length > 0;
  }

  async take(one: CodeStep): Promise<void> {
    const { service, clock } = this.#home;
    switch (one.kind) {
      case 'mishap':
        service.mishaps.push(one.mishap);
        return;
      case 'outage':
        service.unreachable = one.on;
        return;
      case 'slow':
        service.takesMs = one.ms;
        return;
      case 'wait':
        await clock.advance(one.ms);
        return;
      case 'crash':
        await this.#home.crash();
        return;
      case 'add':
      case 'update':
      case 'remove':
      case 'clear':
      case 'plan':
        await this.#request(one);
    }
  }

  /** Two codes with one name or one PIN are a double. */
  look(): void {
    const { codesOf } = this.#home.service;
    for (const key of ['name', 'pin'] as const) {
      if (new Set(codesOf.map((code) => code[key])).size < codesOf.length) {
        this.wrongs.push(`two codes with one ${key}`);
      }
    }
  }

  /** Folds the ends in their order: a successful change must be listed, and a certain failure must not have happened. */
  judge(): void {
    const ends = this.#home.events
      .filter((event) => event.type === 'code-operation')
      .map(({ operation }) => operation)
      .filter(({ phase }) => phase === 'done' || phase === 'failed');
    if (new Set(ends.map(({ id }) => id)).size < ends.length) {
      this.wrongs.push('an operation ended twice');
    }
    if (ends.length < this.#requests.size) {
      this.wrongs.push('an operation was lost');
    }
    const stopped = new Set<string>();
    for (const { id, phase } of ends) {
      const plan = this.#plans.get(id);
      if (plan !== undefined && phase === 'done' && stopped.has(plan)) {
        this.wrongs.push('a plan went on after a change that failed');
      }
      if (plan !== undefined && phase === 'failed') {
        stopped.add(plan);
      }
    }
    let possible: readonly (readonly AccessCode[])[] = [[]];
    for (const end of ends) {
      possible = possible.flatMap((codes) => this.#after(codes, end));
    }
    const have = keysOf(this.#home.service.codesOf);
    if (!possible.some((codes) => keysOf(codes) === have)) {
      this.wrongs.push(`the lock has ${have} instead of ${possible.map(keysOf).join(' or ')}`);
    }
  }

  #after(codes: readonly AccessCode[], end: CodeProgress): readonly (readonly AccessCode[])[] {
    const request = this.#requests.get(end.id);
    if (request === undefined) {
      return [codes];
    }
    // An add that finds just that code in place is done without another one.
    const isThere = request.kind === 'add' && codes.some((code) => matchesDraft(code, request.draft));
    const done = isThere ? codes : applied(codes, commandOf(request), end.codeId ?? accessCodeId(end.id));
    if (end.phase === 'done') {
      return [done];
    }
    return isUnsettled(end.failure) ? [codes, done] : [codes];
  }

  async #request(
    one: Extract<CodeStep, { readonly kind: 'add' | 'update' | 'remove' | 'clear' | 'plan' }>,
  ): Promise<void> {
    const { codes, service } = this.#home;
    const before = new Set(this.#home.open().map(({ id }) => id));
    const listed = service.codesOf[('which' in one ? one.which : 0) % Math.max(service.codesOf.length, 1)];
    try {
      if (one.kind === 'add') {
        await this.#home.asked(codes.add(DOOR, { ...draftOf(one.number), schedule: { kind: 'always' } }));
      } else if (one.kind === 'clear') {
        await this.#home.asked(codes.removeAll(DOOR));
      } else if (one.kind === 'plan') {
        await this.#plan(one.number, listed?.id, one.mishap);
      } else if (listed !== undefined) {
        await this.#home.asked(
          one.kind === 'remove'
            ? codes.remove(DOOR, listed.id)
            : codes.update(DOOR, listed.id, draftOf(one.number)),
        );
      }
    } catch {
      // Nothing was started: the service could not be asked, or the code has just gone.
    }
    for (const { id, single } of this.#home.open()) {
      if (!before.has(id)) {
        this.#requests.set(id, single.request);
        if (single.plan !== undefined) {
          this.#plans.set(id, single.plan);
        }
      }
    }
  }

  /** A code for another one, of which a file has only the new one: the old one goes last, and only if the new one is there. */
  async #plan(which: number, old: string | undefined, fate: CodeMishap | null): Promise<void> {
    const { codes, service } = this.#home;
    service.mishaps.push(...(fate === null ? [] : [fate]));
    const { codes: listed } = await this.#home.asked(codes.list(DOOR));
    const gone = listed.filter(({ id }) => id === old).map((code) => ({ kind: 'remove' as const, code }));
    const draft = { ...draftOf(which), schedule: { kind: 'always' } } as const;
    await this.#home.asked(codes.carryOut(DOOR, [{ kind: 'add', draft }, ...gone]));
  }
}

function draftOf(which: number): { readonly name: string; readonly pin: string } {
  return { name: `Guest ${String(which)}`, pin: String(1_000 + which) };
}

function commandOf(request: CodeRequest): CodeCommand {
  return request.kind === 'remove-all' ? { kind: 'remove-all' } : request;
}

function keysOf(codes: readonly AccessCode[]): string {
  return codes
    .map(({ name, pin }) => `${name}=${pin}`)
    .sort()
    .join(', ');
}
