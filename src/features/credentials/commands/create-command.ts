// `latchkey credentials create` and `create-raw`: issue one credential, never two for one user.
import type { Command } from 'commander';
import type { CommonFlags } from '../../../cli/account/account-command.ts';
import type { DefineVerb } from '../../../cli/account/verb.ts';
import { EXIT_STATUS, type ExitStatus } from '../../../cli/terminal/exit-status.ts';
import { ask } from '../../../cli/terminal/hidden-typing.ts';
import { FinalError } from '../../../support/errors.ts';
import { t } from '../../../words/translate.ts';
import type { IssueResult } from '../import/credential-issuer.ts';
import type { CredentialDraft } from '../policy/credential.ts';
import { draftWarnings } from '../policy/credential-policy.ts';
import { ISSUE_WORDS } from '../words.ts';
import { type CredentialingContext, type CredentialingRun, collected } from './context.ts';

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

/** The usual issue codes (wire contract 11). */
const ISSUE_CODE_48X = 20;

function withHolder(command: Command): Command {
  return command
    .requiredOption('--user <id>', t('UUID of the person, as your own system has it'))
    .requiredOption(
      '--mobile <number>',
      t('mobile number of the phone, such as {example}', { example: '+15550100123' }),
    );
}

export function createCommands(define: DefineVerb<CommonFlags, CredentialingContext>): readonly Command[] {
  return [
    withHolder(define('create', t('issue a card credential'), [], create))
      .requiredOption('--format <format>', t('card format: 26A, 34S, 35X, 37H, 37X or 48X'))
      .requiredOption('--facility <number>', t('facility code'))
      .option('--issue <number>', t('issue code; 0 if left out, 20 for 48X'))
      .option('--card <number>', t('card number; the next free one if left out'))
      .option('--site <id>', t('id of the site'))
      .option('--site-name <name>', t('name of the site'))
      .option('--attribute <name=value>', t('another attribute; may be repeated'), collected, []),
    withHolder(
      define(
        'create-raw',
        t('issue a raw credential, whose hexadecimal digits are asked for'),
        [],
        createRaw,
      ),
    ).requiredOption('--bits <number>', t('how many bits of it count')),
  ];
}

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
    rawCredential: await ask(terminal, output, t('Raw credential (hexadecimal):'), true),
    bitLength: numberOf(bits),
  });
};

async function issueDraft(
  { credentialing, output, options }: CredentialingContext,
  draft: CredentialDraft,
): Promise<ExitStatus> {
  for (const { field, problem } of draftWarnings(draft)) {
    output.progress(t('Note: {remark}', { remark: `${field} ${t(problem)}` }));
  }
  const result = await credentialing.issuer.issueNow(draft, options);
  const { id, cardNumber } = result.kind === 'issued' ? result : result.credential;
  const isThere = result.kind === 'existing';
  output.answer({ credentialId: id, cardNumber, existing: isThere }, [issuedLine(result)]);
  return isThere && !result.matches ? EXIT_STATUS.failed : EXIT_STATUS.ok;
}

function issuedLine(result: Exclude<IssueResult, { kind: 'later' }>): string {
  if (result.kind === 'issued') {
    const { id, cardNumber } = result;
    return cardNumber === null
      ? t('Issued: {id}.', { id })
      : t('Issued: {id}, card number {cardNumber}.', { id, cardNumber });
  }
  return result.matches
    ? `${t(ISSUE_WORDS.existing)} ${result.credential.id}`
    : `${t(ISSUE_WORDS.other)} ${result.credential.id}`;
}

function attributeIn(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at < 1) {
    throw new FinalError(
      'bad-request',
      t('Nothing was sent: {option} takes {form}.', { option: '--attribute', form: 'NAME=VALUE' }),
    );
  }
  return [text.slice(0, at), text.slice(at + 1)];
}

/** NaN for anything but a number; the field's check then rejects it. */
function numberOf(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}
