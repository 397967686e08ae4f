// From whatever stands in config.json to a configuration, or to lines that say what is wrong and what to do.
import type { z } from 'zod';
import { oneLine } from '../support/log.ts';
import { childBridgeOf } from './account-blocks.ts';
import { type Config, toConfig } from './config.ts';
import { checkOptions } from './option-checks.ts';
import { optionTable } from './option-table.ts';
import { describeIssue, optionPath } from './problem-line.ts';

/** Each line is "path: what is wrong, what to do". */
export type ConfigReading =
  | { readonly ok: true; readonly config: Config; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Keys of a platform block that belong to Homebridge and its UI. */
const HOMEBRIDGE_KEYS: readonly string[] = ['platform', '_bridge'];

/**
 * Reads one platform block. Never throws; no line repeats what was written, since it may be a secret, except the names
 * of options that do not exist. An unknown option is a warning: an older config.json must not close the house.
 */
export function readConfig(platformConfig: unknown): ConfigReading {
  try {
    return read(withoutBlanks(platformConfig));
  } catch {
    // A getter that throws, or an object that contains itself: nothing that JSON can hold.
    return { ok: false, problems: ['platform: could not be read; write the block as plain JSON'] };
  }
}

/** `block` is a copy of our own, from which foreign keys are taken out. */
function read(block: unknown): ConfigReading {
  const bridge = childBridgeOf(block);
  removeKeys(block, HOMEBRIDGE_KEYS);
  const first = optionTable.safeParse(block);
  const strangers = first.success ? [] : first.error.issues.filter((issue) => isUnknownOption(issue));
  for (const { path, keys } of strangers) {
    removeKeys(at(block, path), keys);
  }
  const parsed = strangers.length === 0 ? first : optionTable.safeParse(block);
  if (!parsed.success) {
    return { ok: false, problems: parsed.error.issues.map(describeIssue) };
  }
  const { problems, warnings } = checkOptions(parsed.data);
  return problems.length === 0
    ? {
        ok: true,
        config: toConfig(parsed.data, bridge),
        warnings: [...strangers.flatMap(strangerLines), ...warnings],
      }
    : { ok: false, problems };
}

/** A form saves what was never filled in as null or an empty text: to us that is not written at all. */
function withoutBlanks(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.filter(isWritten).map(withoutBlanks);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (isWritten(inner) ? [[key, withoutBlanks(inner)]] : [])),
  );
}

function isWritten(value: unknown): boolean {
  return value !== undefined && value !== null && !(typeof value === 'string' && value.trim() === '');
}

function isUnknownOption(issue: z.core.$ZodIssue): issue is z.core.$ZodIssueUnrecognizedKeys {
  return issue.code === 'unrecognized_keys';
}

function strangerLines({ path, keys }: z.core.$ZodIssueUnrecognizedKeys): readonly string[] {
  return keys.map(
    (key) =>
      `${oneLine(optionPath([...path, key]))}: is not an option and is ignored; take it out or correct it`,
  );
}

function at(block: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (node, step) => (typeof node === 'object' && node !== null ? Reflect.get(node, step) : undefined),
    block,
  );
}

function removeKeys(node: unknown, keys: readonly string[]): void {
  if (typeof node === 'object' && node !== null) {
    for (const key of keys) {
      Reflect.deleteProperty(node, key);
    }
  }
}
