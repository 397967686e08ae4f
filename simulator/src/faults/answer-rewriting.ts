// Rewrites the service's own answers: old forms, a clock that is off, JSON that ends too early.
import type { OldForm } from './fault.ts';

/** The integers of the earlier list schema are not published; a client must not rely on any. */
const INTEGER_OF_LOCK_STATE: Readonly<Record<string, number>> = { Unknown: 0, Locked: 1, Unlocked: 2 };

/** An instant as the service writes it: UTC, or with the offset of a device. */
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}(?<zone>Z|[+-]\d{2}:\d{2})$/;

type Member = readonly [name: string, value: unknown];

/** Spells a JSON text as an earlier version of the service would have. */
export function inOldForms(json: string, forms: readonly OldForm[]): string {
  return rewriteObjects(json, (members) => {
    // The published example is an error object: only there are integers given as strings.
    const isError = members.some(([name]) => name === 'errorMessage');
    return members.map((member) => inOldForm(member, isError, forms));
  });
}

function inOldForm([name, value]: Member, isError: boolean, forms: readonly OldForm[]): Member {
  if (name === 'lockState' && typeof value === 'string' && forms.includes('integer-lock-state')) {
    return [name, INTEGER_OF_LOCK_STATE[value] ?? value];
  }
  if (name === 'errorMessage' && forms.includes('misspelt-error-message')) {
    return ['errorMesage', value];
  }
  if (isError && typeof value === 'number' && forms.includes('integers-as-strings')) {
    return [name, String(value)];
  }
  return [name, value];
}

/** Turns the lock state around in a command that succeeded. */
export function withOtherLockState(json: string): string {
  const other: Readonly<Record<string, string>> = { Locked: 'Unlocked', Unlocked: 'Locked' };
  return /"state":"Successful"/u.test(json)
    ? rewriteObjects(json, (members) =>
        members.map(([name, value]) => [
          name,
          name === 'lockState' ? (other[String(value)] ?? value) : value,
        ]),
      )
    : json;
}

/** Moves every instant of a JSON text; times of a schedule are no instants and stay. */
export function shiftInstants(json: string, offsetMs: number): string {
  return rewriteObjects(json, (members) =>
    members.map(([name, value]) => [name, typeof value === 'string' ? shiftInstant(value, offsetMs) : value]),
  );
}

/** Moves one instant and keeps its zone; any other text is left alone. */
export function shiftInstant(text: string, offsetMs: number): string {
  const zone = INSTANT.exec(text)?.groups?.['zone'];
  if (zone === undefined) {
    return text;
  }
  const wallMs = Date.parse(`${text.slice(0, -zone.length)}Z`);
  return new Date(wallMs + offsetMs).toISOString().slice(0, -1) + zone;
}

/** The first half: never valid JSON, since the service sends objects and arrays. */
export function truncate(json: string): string {
  return json.slice(0, Math.ceil(json.length / 2));
}

function rewriteObjects(json: string, rewrite: (members: readonly Member[]) => readonly Member[]): string {
  const visit = (_name: string, value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(rewrite(Object.entries(value)))
      : value;
  return JSON.stringify(JSON.parse(json, visit));
}
