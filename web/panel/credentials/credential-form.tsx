// A form that issues one card credential.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { type Message, message } from '../../../src/domain/language/message.ts';
import type { IssuedView } from '../../../src/features/credentials/panel/views.ts';
import { CARD_FORMATS, type CardDraft } from '../../../src/features/credentials/policy/credential.ts';
import { draftFaults } from '../../../src/features/credentials/policy/credential-policy.ts';
import { ISSUE_WORDS } from '../../../src/features/credentials/words.ts';
import { t } from '../../../src/words/translate.ts';
import { Form } from '../../shared/form.tsx';
import { Choice } from '../../shared/labelled.tsx';
import { Field } from '../parts/fields.tsx';
import { Button, Failure, Notice, Part, Status } from '../parts/pieces.tsx';
import { useAction, usePageContext } from '../state/page-context.ts';

interface Typed {
  readonly userId: string;
  readonly mobileNumber: string;
  readonly cardFormat: string;
  readonly facilityCode: string;
  readonly cardNumber: string;
  readonly siteId: string;
  readonly siteName: string;
}

const NOTHING_TYPED: Typed = {
  userId: '',
  mobileNumber: '',
  cardFormat: '26A',
  facilityCode: '',
  cardNumber: '',
  siteId: '',
  siteName: '',
};

const FIELDS = [
  {
    name: 'userId',
    label: message('User ID'),
    help: message('The UUID that your own system gives this person.'),
  },
  {
    name: 'mobileNumber',
    label: message('Mobile number'),
    help: message('With country code, such as {example}.', { example: '+15550100123' }),
  },
  { name: 'facilityCode', label: message('Facility code'), help: undefined },
  {
    name: 'cardNumber',
    label: message('Card number'),
    help: message('Leave empty for the next free number.'),
  },
  { name: 'siteId', label: message('Site ID'), help: message('Optional.') },
  { name: 'siteName', label: message('Site name'), help: message('Optional.') },
] as const;

/** The only issue code of this format (wire contract 11). */
const ISSUE_CODE_48X = 20;

export function CredentialForm({ onIssued }: { readonly onIssued: () => void }): VNode {
  const { call } = usePageContext();
  const [typed, setTyped] = useState(NOTHING_TYPED);
  const [showsFaults, setShowsFaults] = useState(false);
  /** Counts issued credentials: the fields of the next one have not been touched yet. */
  const [issuedCount, setIssuedCount] = useState(0);
  const [outcome, setOutcome] = useState<IssuedView['outcome'] | null>(null);
  const issuing = useAction();
  const draft = draftOf(typed);
  const faults = new Map(draftFaults(draft).map(({ field, problem }) => [field, problem]));
  const issue = async (): Promise<void> => {
    setOutcome(null);
    setShowsFaults(true);
    if (faults.size > 0) {
      return;
    }
    await issuing.run(async () => {
      const issued = await call('credentials.create', draft);
      setOutcome(issued.outcome);
      if (issued.outcome === 'issued') {
        setTyped({
          ...NOTHING_TYPED,
          cardFormat: typed.cardFormat,
          siteId: typed.siteId,
          siteName: typed.siteName,
        });
        setShowsFaults(false);
        setIssuedCount(issuedCount + 1);
        onIssued();
      }
    });
  };
  return (
    <Part title={t('Issue a credential')}>
      <Form noValidate onSubmit={() => void issue()}>
        <DraftFields
          typed={typed}
          faults={faults}
          showsFaults={showsFaults}
          round={issuedCount}
          onType={setTyped}
        />
        <Outcome outcome={outcome} />
        <Failure failure={issuing.failure} />
        <div class="pushes">
          <Button kind="main" isBusy={issuing.isBusy} onPress="submit">
            {t('Issue')}
          </Button>
        </div>
      </Form>
    </Part>
  );
}

function Outcome({ outcome }: { readonly outcome: IssuedView['outcome'] | null }): VNode {
  return (
    <Status>
      {outcome !== null && (
        <Notice tone={outcome === 'other' ? 'warning' : 'good'}>
          <p>{t(ISSUE_WORDS[outcome])}</p>
        </Notice>
      )}
    </Status>
  );
}

function DraftFields(props: {
  readonly typed: Typed;
  readonly faults: ReadonlyMap<string, Message>;
  readonly showsFaults: boolean;
  /** A new number means fields that have not been touched yet. */
  readonly round: number;
  readonly onType: (typed: Typed) => void;
}): VNode {
  const { typed, faults, showsFaults, round, onType } = props;
  return (
    <>
      <Choice
        label={t('Card format')}
        names={CARD_FORMATS}
        chosen={CARD_FORMATS.findIndex((format) => format === typed.cardFormat)}
        onChoose={(index) => onType({ ...typed, cardFormat: CARD_FORMATS[index] ?? typed.cardFormat })}
      />
      {FIELDS.map(({ name, label, help }) => (
        <Field
          key={`${name}-${String(round)}`}
          label={t(label)}
          help={help && t(help)}
          value={typed[name]}
          fault={sentence(faults.get(name))}
          showsFault={showsFaults}
          onInput={(text) => onType({ ...typed, [name]: text })}
        />
      ))}
    </>
  );
}

function draftOf({
  userId,
  mobileNumber,
  cardFormat,
  facilityCode,
  cardNumber,
  siteId,
  siteName,
}: Typed): CardDraft {
  const attributes = { siteId: siteId.trim(), siteName: siteName.trim() };
  return {
    kind: 'card',
    userId: userId.trim(),
    mobileNumber: mobileNumber.trim(),
    cardFormat,
    facilityCode: numberOf(facilityCode),
    issueCode: cardFormat === '48X' ? ISSUE_CODE_48X : 0,
    cardNumber: cardNumber.trim() === '' ? null : numberOf(cardNumber),
    attributes: Object.fromEntries(Object.entries(attributes).filter(([, text]) => text !== '')),
  };
}

function numberOf(text: string): number {
  return /^\d{1,15}$/.test(text.trim()) ? Number(text) : Number.NaN;
}

function sentence(problem: Message | undefined): string | null {
  return problem === undefined ? null : t('This {problem}.', { problem });
}
