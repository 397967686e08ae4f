// Converts any failure into a message, the next step and an exit status.
import { LatchkeyError, messageOf, WaitError } from '../../support/errors.ts';
import { oneLine } from '../../support/log.ts';
import { waitWords } from '../../words/times.ts';
import { EXIT_STATUS, type ExitStatus } from './exit-status.ts';
import { UnknownChangeError } from './followed-reading.ts';
import { jsonText } from './json-text.ts';
import { NameError } from './lock-names.ts';

export interface CliError {
  readonly code: string;
  readonly message: string;
  /** The next step; null when the message contains it. */
  readonly next: string | null;
  readonly status: ExitStatus;
}

const NEXT_LINK = 'Connect the account with: npx homebridge-latchkey link';
const NEXT_LATER = 'Try again in a moment; "npx homebridge-latchkey doctor" shows what is not responding.';
const NEXT_LOOK = 'Check the door, or ask again with: npx homebridge-latchkey locks';
const NEXT_CODES = 'Look at the codes with: npx homebridge-latchkey codes list';
const NEXT_DOCTOR = 'Run "npx homebridge-latchkey doctor" to see what is wrong.';

/** A foreign error is a defect of the plugin, and the message says so. */
export function cliErrorOf(error: unknown): CliError {
  if (!(error instanceof LatchkeyError)) {
    const message = `Unexpected error: ${oneLine(messageOf(error))}`;
    return {
      code: 'unexpected',
      message,
      next: 'Please report this line.',
      status: EXIT_STATUS.failed,
    };
  }
  const { code, message } = error;
  return { code, message, ...consequence(error) };
}

function consequence(error: LatchkeyError): Pick<CliError, 'next' | 'status'> {
  switch (error.disposition) {
    case 'relink':
      return { next: NEXT_LINK, status: EXIT_STATUS.linkNeeded };
    case 'retry':
      // The message already holds the disk's fault and the remedy.
      return error.code === 'storage-failed'
        ? { next: null, status: EXIT_STATUS.failed }
        : { next: NEXT_LATER, status: EXIT_STATUS.tryLater };
    case 'wait':
      return { next: nextTry(error), status: EXIT_STATUS.tryLater };
    case 'uncertain':
      return {
        next: error instanceof UnknownChangeError ? NEXT_CODES : NEXT_LOOK,
        status: EXIT_STATUS.uncertain,
      };
    case 'final':
      return finalConsequence(error);
  }
}

function finalConsequence(error: LatchkeyError): Pick<CliError, 'next' | 'status'> {
  if (error instanceof NameError) {
    return { next: null, status: EXIT_STATUS.misused };
  }
  return error.code === 'bad-configuration'
    ? { next: NEXT_DOCTOR, status: EXIT_STATUS.misused }
    : { next: null, status: EXIT_STATUS.failed };
}

function nextTry(error: LatchkeyError): string {
  return error instanceof WaitError && error.waitMs !== null
    ? `Try again in ${waitWords(error.waitMs)}.`
    : NEXT_LATER;
}

export function errorLine({ message, next }: CliError): string {
  return next === null ? message : `${message} ${next}`;
}

export function errorJson({ code, message, next }: Omit<CliError, 'status'>): string {
  return jsonText({ error: { code, message, next } });
}
