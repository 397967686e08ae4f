// The demo on the pages: the offer on the first page, the restart that it waits for, and the notice that nothing is real.
import type { VNode } from 'preact';
import { t } from '../../../src/words/translate.ts';
import { Button, Failure, Notice, PageHeading } from '../parts/pieces.tsx';
import { linkTo, tRich } from '../parts/rich.tsx';
import { useAction, usePageContext } from '../state/page-context.ts';
import { ClicksLeft } from './step-left.tsx';

/** Offered to a person without a partner agreement; only where config.json can be written. */
export function DemoOffer(): VNode | null {
  const { file } = usePageContext();
  const saving = useAction();
  if (file === null || file.account.configured) {
    return null;
  }
  return (
    <section aria-label={t('Demo')}>
      <Notice tone="plain">
        <p>
          {t(
            'No partner agreement yet? Try everything with three simulated locks in Home. You can switch to your own locks later.',
          )}
        </p>
        <DemoButton file={file} isWanted saving={saving}>
          {t('Try the demo')}
        </DemoButton>
      </Notice>
      <Failure failure={saving.failure} />
    </section>
  );
}

/** Shown in place of the guide once the demo was chosen. */
export function DemoStarting(): VNode {
  return (
    <>
      <PageHeading takesFocus>{t('Demo')}</PageHeading>
      <DemoNotice />
    </>
  );
}

/** On every page of the demo; nothing elsewhere. */
export function DemoNotice(): VNode | null {
  const { file, state } = usePageContext();
  const saving = useAction();
  const running = state.status?.demo ?? null;
  const isWanted = file?.account.demo ?? running !== null;
  if (running === null && !isWanted) {
    return null;
  }
  return (
    <section aria-label={t('Demo')}>
      <Notice tone="warning">
        <Words doorsUrl={running?.doorsUrl ?? null} isWanted={isWanted} />
        {file !== null && isWanted && (
          <DemoButton file={file} isWanted={false} saving={saving}>
            {t('End the demo')}
          </DemoButton>
        )}
      </Notice>
      <Failure failure={saving.failure} />
    </section>
  );
}

function DemoButton(props: {
  readonly file: NonNullable<ReturnType<typeof usePageContext>['file']>;
  readonly isWanted: boolean;
  readonly saving: ReturnType<typeof useAction>;
  readonly children: string;
}): VNode {
  const { file, isWanted, saving, children } = props;
  return (
    <div class="pushes">
      <Button
        isBusy={saving.isBusy}
        onPress={() => {
          void saving.run(async () => {
            await file.config.saveDemo(file.account.name, isWanted);
            await file.reread();
          });
        }}
      >
        {children}
      </Button>
    </div>
  );
}

function Words({
  doorsUrl,
  isWanted,
}: {
  readonly doorsUrl: string | null;
  readonly isWanted: boolean;
}): VNode {
  if (doorsUrl === null) {
    return <ClicksLeft then={t('Then add the three demo locks to Home.')} />;
  }
  if (!isWanted) {
    return (
      <p>
        {tRich(
          '<strong>Two clicks left:</strong> <em>Save</em> below, then <em>Restart</em>. That removes the demo locks.',
        )}
      </p>
    );
  }
  return (
    <>
      <p>
        {t(
          'This is a demo. The locks are simulated; no real lock moves. On the overview, turn them by hand and watch Home follow.',
        )}
      </p>
      <p class="about">
        {tRich(
          'Jams, codes, outages and more are on the <link>page of the simulated doors</link>, which opens only on the computer that runs Homebridge.',
          { link: linkTo(doorsUrl) },
        )}
      </p>
    </>
  );
}
