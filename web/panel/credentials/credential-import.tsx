// An import of a file: its plan, its duration, and its progress.
import type { VNode } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import type {
  CredentialsView,
  ImportPlanView,
  ImportView,
} from '../../../src/features/credentials/panel/views.ts';
import { timeLeft } from '../../../src/features/credentials/words.ts';
import { closed } from '../../../src/words/sentence.ts';
import { waitWords } from '../../../src/words/times.ts';
import { t } from '../../../src/words/translate.ts';
import { every } from '../../shared/browser-clock.ts';
import { Switch } from '../parts/fields.tsx';
import { textOf } from '../parts/files.ts';
import { Button, Failure, Notice, Part, Status } from '../parts/pieces.tsx';
import { tRich } from '../parts/rich.tsx';
import { useAction, usePageContext } from '../state/page-context.ts';
import { Ended, Plan } from './import-outcome.tsx';

/** A running import is looked at this often, in milliseconds. */
const POLL_EVERY_MS = 1_000;

/** Larger files are imported by the command line, in bytes: as the panel takes them. */
const MAX_FILE_BYTES = 900_000;

export function CredentialImport(props: {
  readonly view: ImportView | null;
  readonly onView: (view: CredentialsView) => void;
  readonly onFinished: () => void;
}): VNode {
  const { view, onView, onFinished } = props;
  const { call } = usePageContext();
  const isRunning = view?.state === 'running';
  useEffect(() => {
    if (!isRunning) {
      return undefined;
    }
    const poll = async (): Promise<void> => {
      const shown = await call('credentials.show').catch(() => null);
      if (shown !== null) {
        onView(shown);
        if (shown.import?.state !== 'running') {
          onFinished();
        }
      }
    };
    return every(POLL_EVERY_MS, () => void poll());
  }, [isRunning]);
  return (
    <Part title={t('Import')}>
      {isRunning ? <Running view={view} onView={onView} /> : <ChooseFile onView={onView} />}
      {view !== null && !isRunning && <Ended view={view} />}
    </Part>
  );
}

function ChooseFile({ onView }: { readonly onView: (view: CredentialsView) => void }): VNode {
  const { call } = usePageContext();
  const [file, setFile] = useState<string | null>(null);
  const [plan, setPlan] = useState<ImportPlanView | null>(null);
  const [isTooLarge, setTooLarge] = useState(false);
  const planning = useAction();
  const choose = async (chosen: File | undefined): Promise<void> => {
    setPlan(null);
    setTooLarge((chosen?.size ?? 0) > MAX_FILE_BYTES);
    setFile(null);
    if (chosen !== undefined && chosen.size <= MAX_FILE_BYTES) {
      await planning.run(async () => {
        const content = await textOf(chosen);
        setFile(content);
        setPlan(await call('credentials.plan', { file: content }));
      });
    }
  };
  return (
    <>
      <FileField onChoose={(chosen) => void choose(chosen)} />
      <Status>
        {planning.isBusy && <p>{t('Checking the file …')}</p>}
        {isTooLarge && (
          <Notice tone="warning">
            <p>
              {tRich('This file is too large for the page. Import it with <code>{command}</code>.', {
                command: 'latchkey credentials import FILE',
              })}
            </p>
          </Notice>
        )}
        {plan !== null && <Plan plan={plan} />}
      </Status>
      <Failure failure={planning.failure} />
      {plan !== null && plan.faults.length === 0 && <Start plan={plan} file={file} onView={onView} />}
    </>
  );
}

function Start(props: {
  readonly plan: ImportPlanView;
  readonly file: string | null;
  readonly onView: (view: CredentialsView) => void;
}): VNode {
  const { plan, file, onView } = props;
  const { call } = usePageContext();
  const [replace, setReplace] = useState(false);
  const starting = useAction();
  const start = async (): Promise<void> => {
    await starting.run(async () => onView(await call('credentials.import', { file, replace })));
  };
  return (
    <>
      {plan.different > 0 && (
        <Switch
          label={t('Replace what differs')}
          help={t('Deletes the credential that the service has and issues the one of the file.')}
          of={t('import')}
          isOn={replace}
          isFixed={false}
          onSwitch={setReplace}
        />
      )}
      <Failure failure={starting.failure} />
      <div class="pushes">
        <Button kind="main" isBusy={starting.isBusy} onPress={() => void start()}>
          {t('Start import')}
        </Button>
      </div>
    </>
  );
}

function FileField({ onChoose }: { readonly onChoose: (file: File | undefined) => void }): VNode {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{t('File')}</label>
      <input
        id={id}
        type="file"
        accept=".csv,.jsonl,.ndjson,text/csv"
        aria-describedby={`${id}-about`}
        onChange={({ currentTarget }) => onChoose(currentTarget.files?.[0])}
      />
      <p id={`${id}-about`} class="about">
        {t(
          'CSV with the columns {needed}, and if you like {optional} and {last}; or one JSON object a line. It is checked before anything is sent.',
          {
            needed: 'userId, mobileNumber, cardFormat, facilityCode',
            optional: 'issueCode, cardNumber, siteId',
            last: 'siteName',
          },
        )}
      </p>
    </div>
  );
}

function Running(props: {
  readonly view: ImportView;
  readonly onView: (view: CredentialsView) => void;
}): VNode {
  const { call } = usePageContext();
  const stopping = useAction();
  const id = useId();
  const { done, total, remainingMs, waitMs } = props.view;
  return (
    <>
      <div class="import-progress">
        <label for={id}>{t('{done} of {total} done', { done, total })}</label>
        <progress id={id} value={done} max={Math.max(total, 1)} />
        <p class="about">
          {closed(timeLeft(remainingMs))}{' '}
          {waitMs !== null && t('Paused {wait} (rate limit).', { wait: waitWords(waitMs) })}
        </p>
        <p class="about">{t('You can leave this page: the import goes on.')}</p>
      </div>
      <Failure failure={stopping.failure} />
      <div class="pushes">
        <Button
          isBusy={stopping.isBusy}
          onPress={() => void stopping.run(async () => props.onView(await call('credentials.stop-import')))}
        >
          {t('Stop')}
        </Button>
      </div>
    </>
  );
}
