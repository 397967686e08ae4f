// What an import of a file would do, and what it has done.
import type { VNode } from 'preact';
import { type Message, message } from '../../../src/domain/language/message.ts';
import type { ImportPlanView, ImportView } from '../../../src/features/credentials/panel/views.ts';
import { importTime } from '../../../src/features/credentials/words.ts';
import { seriesWords } from '../../../src/words/sentence.ts';
import { t } from '../../../src/words/translate.ts';
import { Notice, Status } from '../parts/pieces.tsx';

export function Plan({ plan }: { readonly plan: ImportPlanView }): VNode {
  if (plan.faults.length > 0) {
    return (
      <Notice tone="bad">
        <p>{t('The file has faults, so nothing can be imported:')}</p>
        <Lines lines={plan.faults} />
      </Notice>
    );
  }
  const { add, unchanged, different, missing } = plan;
  return (
    <Notice tone="plain">
      <p>
        {t(
          '{add, plural, other {# to add}}, {unchanged, plural, other {# unchanged}}, {different, plural, other {# different}}.',
          { add, unchanged, different },
        )}{' '}
        {missing > 0 &&
          `${t('{missing, plural, one {# credential is not in the file and stays as it is.} other {# credentials are not in the file and stay as they are.}}', { missing })} `}
        {importTime(plan.expectedMs)}
      </p>
      <Lines lines={plan.warnings} />
    </Notice>
  );
}

const ENDED_WORDS: Readonly<Record<Exclude<ImportView['state'], 'running'>, Message>> = {
  finished: message('Import finished.'),
  stopped: message('Import stopped. Start it again with the same file: it goes on where it stopped.'),
  failed: message('Import interrupted. Start it again with the same file: it goes on where it stopped.'),
};

export function Ended({ view }: { readonly view: ImportView }): VNode | null {
  if (view.state === 'running') {
    return null;
  }
  const counts = Object.entries(view.counts).map(([result, count]) =>
    t(
      '{result, select, created {{count, plural, other {# created}}} changed {{count, plural, other {# changed}}} unchanged {{count, plural, other {# unchanged}}} different {{count, plural, other {# different}}} removed {{count, plural, other {# removed}}} other {{count, plural, other {# failed}}}}',
      { result, count },
    ),
  );
  const isGood = view.state === 'finished' && view.amiss.length === 0;
  return (
    <Status>
      <Notice tone={isGood ? 'good' : 'warning'}>
        <p>
          {t(ENDED_WORDS[view.state])} {seriesWords(counts)}
        </p>
        {view.message !== null && <p>{t(view.message)}</p>}
        <Lines
          lines={view.amiss.map(({ line, result, reason }) =>
            message('line {line}: {result, select, different {different} other {failed}}. {reason}', {
              line: line ?? '?',
              result,
              reason: reason ?? '',
            }),
          )}
        />
      </Notice>
    </Status>
  );
}

function Lines({ lines }: { readonly lines: readonly Message[] }): VNode | null {
  return lines.length === 0 ? null : (
    <ul>
      {lines.map((line) => (
        <li key={t(line)}>{t(line)}</li>
      ))}
    </ul>
  );
}
