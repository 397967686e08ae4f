// `latchkey credentials`: logs in to the credentialing interface, and issues, shows and deletes credentials.
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import type { IssueResult } from '../credentialing/credential-issuer.ts';
import { type CredentialDraft, credentialId, isOfSite, type NoTourPayload } from '../domain/credential.ts';
import { FinalError } from '../support/errors.ts';
import type { CommonFlags, End } from './account-command.ts';
import { credentialDetails, credentialLines, credentialValue } from './credential-words.ts';
import {
  type CredentialingContext,
  type CredentialingRun,
  credentialingCommand,
} from './credentialing-context.ts';
import { exportCommand, importCommand, planCommand } from './credentials-import-command.ts';
import { EXIT_STATUS, type ExitStatus } from './exit-status.ts';
import { ask } from './hidden-typing.ts';
import type { Terminal } from './terminal.ts';

interface HolderFlags extends CommonFlags {
  readonly user: string;
  readonly mobile: string;
}

interface CreateFlags extends HolderFlags {
  readonly format: string;
  readonly facility: string;
  readonly issue?: string;
  readonly card?: string;
  readonly site?: string;
  readonly siteName?: string;
  readonly attribute: readonly string[];
}

interface RawFlags extends HolderFlags {
  readonly bits: string;
}

interface ListFlags extends CommonFlags {
  readonly site?: string;
  readonly search?: string;
}

interface OneFlags extends CommonFlags {
  readonly user?: string;
}

interface NoTourFlags extends CommonFlags {
  readonly lock?: readonly string[] | string;
}

/** The usual issue codes (wire contract 11). */
const ISSUE_CODE_48X = 20;

const AFTERWORD = `
The service allows 10 logins and 100 calls of each other kind a minute. Commands wait for their turn, also when several
run at once, and say until when; Ctrl-C ends the wait. docs/credentials.md says more.`;

export function credentialsCommand(terminal: Terminal, end: End): Command {
  const add = <Flags extends CommonFlags>(command: Command, run: CredentialingRun<Flags>): Command =>
    credentialingCommand(terminal, end, command, run);
  return new Command('credentials')
    .description('issue and manage phone credentials of the BLE credentialing interface')
    .addHelpText('after', AFTERWORD)
    .addCommand(add(loginCommand(), login))
    .addCommand(add(createCommand(), create))
    .addCommand(add(createRawCommand(), createRaw))
    .addCommand(add(listCommand(), list))
    .addCommand(add(oneCommand('get', 'show one credential'), get))
    .addCommand(add(oneCommand('delete', 'delete one credential; its phone opens no door any more'), remove))
    .addCommand(noTourCommand(add))
    .addCommand(importCommand(terminal, end))
    .addCommand(planCommand(terminal, end))
    .addCommand(exportCommand(terminal, end));
}

function loginCommand(): Command {
  return new Command('login')
    .description('log in to the interface, and keep the login for the other commands and the pages')
    .option('--username <name>', 'the user name; asked for if left out. The password is always asked for');
}

function withHolder(command: Command): Command {
  return command
    .requiredOption('--user <id>', 'UUID of the person, as your own system has it')
    .requiredOption('--mobile <number>', 'mobile number of the phone, such as +15550100123');
}

function createCommand(): Command {
  return withHolder(new Command('create').description('issue a card credential'))
    .requiredOption('--format <format>', 'card format: 26A, 34S, 35X, 37H, 37X or 48X')
    .requiredOption('--facility <number>', 'facility code')
    .option('--issue <number>', 'issue code; 0 if left out, 20 for 48X')
    .option('--card <number>', 'card number; the next free one if left out')
    .option('--site <id>', 'id of the site')
    .option('--site-name <name>', 'name of the site')
    .option('--attribute <name=value>', 'another attribute; may be repeated', collected, []);
}

function createRawCommand(): Command {
  return withHolder(
    new Command('create-raw').description('issue a raw credential, whose hexadecimal digits are asked for'),
  ).requiredOption('--bits <number>', 'how many bits of it count');
}

function listCommand(): Command {
  return new Command('list')
    .description('list the credentials')
    .option('--site <id>', 'those of one site')
    .option('--search <text>', 'those with this text in user, mobile number, site or card number');
}

function oneCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .argument('[id]', 'id of the credential, as "list" prints it')
    .option('--user <id>', 'the credential of this user instead');
}

function noTourCommand(
  add: <Flags extends CommonFlags>(command: Command, run: CredentialingRun<Flags>) => Command,
): Command {
  return new Command('no-tour')
    .description('save and delete the payloads that open locks without a tour to each of them')
    .addCommand(
      add(
        new Command('save')
          .description('save payloads of a credential; one for the same lock is replaced')
          .argument('<id>', 'id of the credential')
          .requiredOption(
            '--lock <serial=file>',
            'serial number of a lock and the file with its payload in base64; may be repeated',
            collected,
          ),
        saveNoTour,
      ),
    )
    .addCommand(
      add(
        new Command('delete')
          .description('delete the payloads of a credential')
          .argument('<id>', 'id of the credential')
          .option('--lock <serial>', 'only the payload of this lock'),
        deleteNoTour,
      ),
    );
}

function collected(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

const login: CredentialingRun<CommonFlags & { readonly username?: string }> = async (
  { credentialing, output, terminal, options },
  { username },
) => {
  if (credentialing.loginFrom === 'config') {
    await credentialing.login(null, options);
  } else {
    const name = username ?? (await ask(terminal, output, 'User name:'));
    await credentialing.login(
      { username: name, password: await ask(terminal, output, 'Password:', true) },
      options,
    );
  }
  output.answer({ loggedIn: true }, ['Logged in. The login is kept for the other commands and the pages.']);
  return EXIT_STATUS.ok;
};

const create: CredentialingRun<CreateFlags> = async (context, flags) => {
  const { site, siteName, attribute, format, facility, issue, card } = flags;
  const usualIssueCode = format === '48X' ? ISSUE_CODE_48X : 0;
  return issueDraft(context, {
    kind: 'card',
    userId: flags.user,
    mobileNumber: flags.mobile,
    cardFormat: format,
    facilityCode: numberOf(facility),
    issueCode: issue === undefined ? usualIssueCode : numberOf(issue),
    cardNumber: card === undefined ? null : numberOf(card),
    attributes: {
      ...(site === undefined ? {} : { siteId: site }),
      ...(siteName === undefined ? {} : { siteName }),
      ...Object.fromEntries(attribute.map(attributeIn)),
    },
  });
};

const createRaw: CredentialingRun<RawFlags> = async (context, { user, mobile, bits }) => {
  const { terminal, output } = context;
  return issueDraft(context, {
    kind: 'raw',
    userId: user,
    mobileNumber: mobile,
    rawCredential: await ask(terminal, output, 'Raw credential (hexadecimal):', true),
    bitLength: numberOf(bits),
  });
};

async function issueDraft(
  { credentialing, output, options }: CredentialingContext,
  draft: CredentialDraft,
): Promise<ExitStatus> {
  const result = await credentialing.issuer.issueNow(draft, options);
  const { id, cardNumber } = result.kind === 'issued' ? result : result.credential;
  const isThere = result.kind === 'existing';
  output.answer({ credentialId: id, cardNumber, existing: isThere }, [issuedLine(result)]);
  return isThere && !result.matches ? EXIT_STATUS.failed : EXIT_STATUS.ok;
}

function issuedLine(result: Exclude<IssueResult, { kind: 'later' }>): string {
  if (result.kind === 'issued') {
    const card = result.cardNumber === null ? '' : `, card number ${result.cardNumber}`;
    return `Issued: ${result.id}${card}.`;
  }
  return result.matches
    ? `The user has this credential already: ${result.credential.id}.`
    : `Nothing was issued: the user has another credential, ${result.credential.id}. Delete it first.`;
}

const list: CredentialingRun<ListFlags> = async ({ credentialing, output, options }, { site, search }) => {
  const { credentials, unreadable } = await credentialing.client.list(options);
  const needle = search?.toLowerCase() ?? '';
  const shown = credentials.filter(
    (credential) =>
      isOfSite(credential, site ?? null) &&
      [
        credential.userId,
        credential.mobileNumber,
        String(credential.cardNumber ?? ''),
        ...Object.values(credential.attributes),
      ].some((text) => text.toLowerCase().includes(needle)),
  );
  output.answer(shown.map(credentialValue), credentialLines(shown));
  if (unreadable > 0) {
    output.complain(`${unreadable} credentials of the list could not be read.`);
  }
  output.progress(`${shown.length} of ${credentials.length} credentials.`);
  return EXIT_STATUS.ok;
};

const get: CredentialingRun<OneFlags> = async ({ credentialing, output, options }, { user }, id) => {
  const { client } = credentialing;
  assertOne(id, user);
  const credential =
    user === undefined
      ? await client.get(credentialId(id ?? ''), options)
      : await client.getByUser(user, options);
  output.answer(credentialValue(credential), credentialDetails(credential));
  return EXIT_STATUS.ok;
};

const remove: CredentialingRun<OneFlags> = async ({ credentialing, output, options }, { user }, id) => {
  const { client } = credentialing;
  assertOne(id, user);
  await (user === undefined
    ? client.delete(credentialId(id ?? ''), options)
    : client.deleteByUser(user, options));
  output.answer({ deleted: true }, ['Deleted.']);
  return EXIT_STATUS.ok;
};

const saveNoTour: CredentialingRun<NoTourFlags> = async (
  { credentialing, output, options },
  { lock = [] },
  id = '',
) => {
  const payloads = [lock].flat().map(payloadIn);
  const saved = await credentialing.client.saveNoTour(credentialId(id), payloads, options);
  const serials = (saved ?? payloads).map(({ deviceSerialNumber }) => deviceSerialNumber);
  output.answer({ locks: serials }, [`Saved. The credential now has payloads for: ${serials.join(', ')}.`]);
  return EXIT_STATUS.ok;
};

const deleteNoTour: CredentialingRun<NoTourFlags> = async (
  { credentialing, output, options },
  { lock },
  id = '',
) => {
  const { client } = credentialing;
  await (typeof lock === 'string'
    ? client.deleteNoTourOfLock(credentialId(id), lock, options)
    : client.deleteNoTour(credentialId(id), options));
  output.answer({ deleted: true }, ['Deleted.']);
  return EXIT_STATUS.ok;
};

function attributeIn(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at < 1) {
    throw new FinalError('bad-request', 'Nothing was sent: --attribute takes NAME=VALUE.');
  }
  return [text.slice(0, at), text.slice(at + 1)];
}

/** Payloads open doors: they are read from files, and stay out of the list of processes. */
function payloadIn(text: string): NoTourPayload {
  const [deviceSerialNumber = '', file = ''] = text.split(/=(.*)/s, 2);
  if (file === '') {
    throw new FinalError('bad-request', 'Nothing was sent: --lock takes SERIAL=FILE.');
  }
  try {
    return { deviceSerialNumber, payload: readFileSync(file, 'utf8').trim() };
  } catch (error) {
    throw new FinalError('bad-request', 'Nothing was sent: the file of --lock cannot be read.', {
      cause: error,
    });
  }
}

function assertOne(id: string | undefined, user: string | undefined): void {
  if ((id === undefined) === (user === undefined)) {
    throw new FinalError(
      'bad-request',
      'Nothing was sent: name the id of a credential, or a user with --user.',
    );
  }
}

/** What is no number fails the check of its field. */
function numberOf(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}
