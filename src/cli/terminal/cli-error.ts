// Converts any failure into a message, the next step and an exit status.
import { type Message, message } from '../../domain/language/message.ts';
import { LatchkeyError, messageOf, WaitError } from '../../support/errors.ts';
import { oneLine } from '../../support/log.ts';
import { waitWords } from '../../words/times.ts';
import { t } from '../../words/translate.ts';
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

const NEXT_LINK = message('Connect the account with: {command}', {
  command: 'npx homebridge-latchkey link',
});
const NEXT_LATER = message('Try again in a moment; "{command}" shows what is not responding.', {
  command: 'npx homebridge-latchkey doctor',
});
const NEXT_LOOK = message('Check the door, or ask again with: {command}', {
  command: 'npx homebridge-latchkey locks',
});
const NEXT_CODES = message('Look at the codes with: {command}', {
  command: 'npx homebridge-latchkey codes list',
});
const NEXT_DOCTOR = message('Run "{command}" to see what is wrong.', {
  command: 'npx homebridge-latchkey doctor',
});

/**
 * A foreign error is a defect of the plugin, and the message says so. `afterUnknown`: the next step when it may have
 * happened; null when the message contains it.
 */
export function cliErrorOf(error: unknown, afterUnknown: Message | null = NEXT_LOOK): CliError {
  if (!(error instanceof LatchkeyError)) {
    return {
      code: 'unexpected',
      message: t('Unexpected error: {error}', { error: oneLine(messageOf(error)) }),
      next: t('Please report this line.'),
      status: EXIT_STATUS.failed,
    };
  }
  return { code: error.code, message: messageOf(error), ...consequence(error, afterUnknown) };
}

function consequence(error: LatchkeyError, afterUnknown: Message | null): Pick<CliError, 'next' | 'status'> {
  switch (error.disposition) {
    case 'relink':
      return { next: t(NEXT_LINK), status: EXIT_STATUS.linkNeeded };
    case 'retry':
      // The message already holds the disk's fault and the remedy.
      return error.code === 'storage-failed'
        ? { next: null, status: EXIT_STATUS.failed }
        : { next: t(NEXT_LATER), status: EXIT_STATUS.tryLater };
    case 'wait':
      return { next: nextTry(error), status: EXIT_STATUS.tryLater };
    case 'uncertain': {
      const next = error instanceof UnknownChangeError ? NEXT_CODES : afterUnknown;
      return { next: next === null ? null : t(next), status: EXIT_STATUS.uncertain };
    }
    case 'final':
      return finalConsequence(error);
  }
}

function finalConsequence(error: LatchkeyError): Pick<CliError, 'next' | 'status'> {
  if (error instanceof NameError) {
    return { next: null, status: EXIT_STATUS.misused };
  }
  return error.code === 'bad-configuration'
    ? { next: t(NEXT_DOCTOR), status: EXIT_STATUS.misused }
    : { next: null, status: EXIT_STATUS.failed };
}

function nextTry(error: LatchkeyError): string {
  return error instanceof WaitError && error.waitMs !== null
    ? t('Try again in {time}.', { time: waitWords(error.waitMs) })
    : t(NEXT_LATER);
}

export function errorLine({ message: what, next }: CliError): string {
  return next === null ? what : `${what} ${next}`;
}

export function errorJson({ code, message: what, next }: Omit<CliError, 'status'>): string {
  return jsonText({ error: { code, message: what, next } });
}
