// The guided way from nothing to a working lock, one step at a time.
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { type Message, message } from '../../../src/domain/language/message.ts';
import { t } from '../../../src/words/translate.ts';
import { laterPage } from '../parts/later.tsx';
import { PageHeading } from '../parts/pieces.tsx';
import { AccountQuestion } from '../setup/account-question.tsx';
import { Beginning } from '../setup/begin-page.tsx';
import { CheckPage } from '../setup/check-page.tsx';
import { StepLeft } from '../setup/step-left.tsx';
import { type AccountFile, usePageContext } from '../state/page-context.ts';
import { needsRestart } from '../state/standing.ts';

/** They load with their steps. */
const LocksPage = laterPage(async () => (await import('../settings/locks-page.tsx')).LocksPage);
const Linking = laterPage(async () => (await import('../setup/link-page.tsx')).Linking);

const STEPS = ['begin', 'link', 'locks', 'check'] as const;

export type Step = (typeof STEPS)[number];

const TITLES: Readonly<Record<Step, Message>> = {
  begin: message('Service details'),
  link: message('Connect'),
  locks: message('Locks'),
  check: message('Finish'),
};

export function Guide(props: {
  readonly step: Step;
  /** The form of all settings has the window, and is saved by the window's own button. */
  readonly isCovered: boolean;
  /** The person came here from another page or step. */
  readonly takesFocus: boolean;
  readonly onStep: (step: Step) => void;
  readonly onDone: () => void;
}): VNode {
  const { step, isCovered, takesFocus, onStep, onDone } = props;
  const { state, file } = usePageContext();
  useSaveButton(step, isCovered, file);
  const link = state['link.show'];
  const isLinked = link?.state === 'linked';
  const accountChange = link?.accountChange ?? null;
  const isCertain = isLinked && accountChange === null;
  // The callback needs no click of its own.
  useEffect(() => {
    if (step === 'link' && isCertain) {
      onStep('locks');
    }
  }, [step, isCertain]);
  return (
    <>
      <Progress step={step} isLinked={isLinked} onStep={onStep} />
      <PageHeading key={step} takesFocus={takesFocus}>
        {t(TITLES[step])}
      </PageHeading>
      {step === 'begin' && (
        <Beginning action={t('Save and continue')} onSaved={() => onStep(isCertain ? 'locks' : 'link')} />
      )}
      {step === 'link' &&
        (accountChange === null ? (
          <Linking onEditCredentials={() => onStep('begin')} />
        ) : (
          <AccountQuestion change={accountChange} />
        ))}
      {step === 'locks' && (
        <>
          {needsRestart(state, file) && <StepLeft />}
          <LocksPage onContinue={() => onStep('check')} />
        </>
      )}
      {step === 'check' && <CheckPage onDone={onDone} />}
    </>
  );
}

/** Nothing has to be saved by hand before the account is connected, because pages save their input. */
function useSaveButton(step: Step, isCovered: boolean, file: AccountFile | null): void {
  const maySave = step === 'locks' || step === 'check' || isCovered;
  useEffect(() => {
    file?.config.allowSave(maySave);
    return () => file?.config.allowSave(true);
  }, [maySave, file?.account.name]);
}

/** The present step, and links to the finished ones. */
function Progress(props: {
  readonly step: Step;
  readonly isLinked: boolean;
  readonly onStep: (step: Step) => void;
}): VNode {
  const { step, isLinked, onStep } = props;
  const now = STEPS.indexOf(step);
  return (
    <nav aria-label={t('Steps')}>
      <ol class="steps">
        {STEPS.map((name, index) => {
          const isOpen = index < now || (isLinked && index !== now);
          return (
            <li
              key={name}
              class={index < now ? 'done' : ''}
              aria-current={index === now ? 'step' : undefined}
            >
              {isOpen ? (
                <button type="button" onClick={() => onStep(name)}>
                  <span>{t(TITLES[name])}</span>
                </button>
              ) : (
                <div>
                  <span>{t(TITLES[name])}</span>
                </div>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
