// Parses a platform block into a configuration, or into one line per problem with its remedy.
import type { z } from 'zod';
import { type Message, message } from '../domain/language/message.ts';
import { oneLine } from '../support/log.ts';
import { isObject } from '../support/text/foreign-json.ts';
import { childBridgeOf } from './account-blocks.ts';
import { type Config, missingAddresses, toConfig } from './config.ts';
import { forbidding, mayBePin } from './misspelt-prohibition.ts';
import { checkOptions } from './options/option-checks.ts';
import { type Options, optionTable } from './options/option-table.ts';
import { describeIssue, faultOfIssue, optionPath, problem, problemLine } from './options/problem-line.ts';

/** Each line has the form "path: fault; remedy". */
export type ConfigReading =
  | { readonly ok: true; readonly config: Config; readonly warnings: readonly Message[] }
  | { readonly ok: false; readonly problems: readonly Message[] };

type OptionTable = ReturnType<typeof optionTable>;

/** A start parses one block: compiling the schema first would take longer than that. */
const READ_ONCE = { jitless: true } as const;

const HOMEBRIDGE_KEYS: readonly string[] = ['platform', '_bridge'];

/**
 * Never throws. No line repeats a value, which may be a secret; only names of unknown options are repeated. An unknown option is
 * a warning, so that a config.json of another version still starts; one that may be meant to forbid forbids.
 */
export function readConfig(platformConfig: unknown): ConfigReading {
  try {
    return read(withoutBlanks(platformConfig));
  } catch {
    // A throwing getter or a circular object: impossible in JSON.
    return {
      ok: false,
      problems: problem('platform', message('cannot be read; write the block as plain JSON')),
    };
  }
}

/** `block` is a copy, from which unknown keys are removed. */
function read(block: unknown): ConfigReading {
  const bridge = childBridgeOf(block);
  removeKeys(block, HOMEBRIDGE_KEYS);
  const renamed = renameFormer(block);
  const table = optionTable();
  const pinFault = [...misspeltPin(table, block), ...withoutFaultyPin(table, block)];
  const first = table.safeParse(block, READ_ONCE);
  const unknown = first.success ? [] : first.error.issues.filter((issue) => isUnknownOption(issue));
  const known = Object.keys(table.shape);
  const lines: Message[] = [];
  for (const { path, keys } of unknown) {
    const node = at(block, path);
    lines.push(
      ...keys.map((key) => {
        const fault = isObject(node) ? forbidding({ path, key, node }, known) : null;
        return unknownOptionLine(optionPath([...path, key]), fault);
      }),
    );
    removeKeys(node, keys);
  }
  const parsed = unknown.length === 0 ? first : table.safeParse(block, READ_ONCE);
  if (!parsed.success) {
    const { issues } = parsed.error;
    return { ok: false, problems: [...linesOf(issues), ...problemsBeside(table, block, issues)] };
  }
  const { problems, warnings } = checkOptions(parsed.data);
  return problems.length === 0
    ? {
        ok: true,
        config: toConfig(parsed.data, { bridge, remotePinIsFaulty: pinFault.length > 0 }),
        warnings: [...renamed, ...pinFault, ...lines, ...warnings],
      }
    : { ok: false, problems: [...problems, ...missingBeside(parsed.data, [])] };
}

/** One line for each option: what is no time of day, say, need not be called too long as well. */
function linesOf(issues: readonly z.core.$ZodIssue[]): readonly Message[] {
  return [...new Map(issues.map((issue) => [optionPath(issue.path), describeIssue(issue)])).values()];
}

/** What else is wrong, as far as the options without these faults tell: a person mends all in one round. */
function problemsBeside(
  table: OptionTable,
  block: unknown,
  issues: readonly z.core.$ZodIssue[],
): readonly Message[] {
  for (const { path } of issues) {
    const [last] = path.slice(-1);
    const parent = at(block, path.slice(0, -1));
    if (last !== undefined && typeof parent === 'object' && parent !== null && !Array.isArray(parent)) {
      Reflect.deleteProperty(parent, last);
    }
  }
  const rest = table.safeParse(block, READ_ONCE);
  return rest.success ? [...checkOptions(rest.data).problems, ...missingBeside(rest.data, issues)] : [];
}

/** Addresses that are left out beside others, as one more fault. None at all is no fault: the pages ask for them. */
function missingBeside({ demo, partner }: Options, issues: readonly z.core.$ZodIssue[]): readonly Message[] {
  const named = new Set(issues.map(({ path }) => optionPath(path)));
  const missing = missingAddresses(partner).filter((path) => !named.has(path));
  return demo || missing.length === missingAddresses({}).length
    ? []
    : missing.flatMap((path) => problem(path, message('is missing; enter it')));
}

/** Options by their former names, which still count where the new name is not used. */
const FORMER_NAMES: Readonly<Record<string, string>> = { matterPin: 'remotePin' };

/** Options of former versions that nobody set, and what counts in their place. */
const GONE: Readonly<Record<string, Message>> = {
  'polling.healthySeconds': message('a minute, or polling.idleSeconds if that is longer'),
  'lowBattery.clear': message('five percent above lowBattery.threshold'),
  evidenceAgeSeconds: message('900 seconds, or two polling intervals if that is longer'),
  forceCommands: message('an unlock is sent unless the lock is known to be unlocked'),
  'history.keepEntries': message('50,000 entries of each lock'),
  'alerts.wrongCode.count': message('three wrong codes'),
  'alerts.wrongCode.minutes': message('five minutes'),
  'storage.outsideReason': message('storage.path may be anywhere'),
};

/** Gives options their names of today, in a copy; one warning for each. */
function renameFormer(block: unknown): readonly Message[] {
  if (typeof block !== 'object' || block === null) {
    return [];
  }
  return Object.entries(FORMER_NAMES).flatMap(([former, name]) => {
    if (!Object.hasOwn(block, former)) {
      return [];
    }
    if (!Object.hasOwn(block, name)) {
      Reflect.set(block, name, Reflect.get(block, former));
    }
    removeKeys(block, [former]);
    return problem(former, message('is now called {name}; rename it', { name }));
  });
}

const UNKNOWN = message('is not an option and is ignored; correct or remove it');

/** An unknown option that may be meant as the PIN counts as one that cannot be one: without it, nobody would be asked for it. */
function misspeltPin(table: OptionTable, block: unknown): readonly Message[] {
  const known = Object.keys(table.shape);
  const unknown = isObject(block) ? Object.keys(block).filter((key) => !known.includes(key)) : [];
  const meant = unknown.filter((key) => mayBePin(key));
  if (meant.length === 0 || at(block, ['remotePin']) !== undefined) {
    return [];
  }
  removeKeys(block, meant);
  return meant.flatMap((key) => problem(oneLine(key), pinWords(UNKNOWN)));
}

/** A PIN that cannot be one costs unlocking over Matter and MQTT, not the locks in Home (faults#135). */
function withoutFaultyPin(table: OptionTable, block: unknown): readonly Message[] {
  const issue = table.shape.remotePin.safeParse(at(block, ['remotePin'])).error?.issues.at(-1);
  if (issue === undefined) {
    return [];
  }
  removeKeys(block, ['remotePin']);
  return problem('remotePin', pinWords(faultOfIssue(issue)));
}

function pinWords(fault: Message): Message {
  return message('{fault}; until then nothing is unlocked over Matter or MQTT', { fault });
}

/** A form saves an empty field as null or an empty text: both count as missing. */
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

/** `fault`: what is said of one that may be meant to forbid; null of any other. */
function unknownOptionLine(name: string, fault: Message | null): Message {
  const instead = Object.hasOwn(GONE, name) ? GONE[name] : undefined;
  const unknown =
    instead === undefined ? UNKNOWN : message('is no longer an option ({instead}); remove it', { instead });
  return problemLine(oneLine(name), fault ?? unknown);
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
