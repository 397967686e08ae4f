// After a restore: says that nobody is let in by what is stored, and lets a person confirm all of it.
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { OldFile } from '../../../src/domain/codes/file-age.ts';
import type { GuestView } from '../../../src/panel/operations/guests.ts';
import { oldFileWords } from '../../../src/words/guests.ts';
import { t } from '../../../src/words/translate.ts';
import { Button, Failure } from '../parts/pieces.tsx';
import { useChange, usePageContext } from '../state/page-context.ts';

export function Proposals({ guests }: { readonly guests: readonly GuestView[] }): VNode | null {
  const { call } = usePageContext();
  /** Undefined: not answered yet. */
  const [old, setOld] = useState<OldFile | null | undefined>(undefined);
  const { isBusy, failure, change } = useChange('guests.list');
  const count = guests.filter(({ isProposed }) => isProposed).length;
  useEffect(() => {
    if (count > 0) {
      void call('codes.proposals').then(
        (answer) => setOld(answer.old),
        () => setOld(null),
      );
    }
  }, [count > 0]);
  // The words come with the button, which would move from under the finger otherwise.
  if (count === 0 || old === undefined) {
    return null;
  }
  return (
    <section class="notice warning" aria-label={t('Confirm the guests')}>
      <p>
        {old !== null && `${t(oldFileWords(old))} `}
        {t(
          'Nobody is let in by what is stored until you confirm it, because somebody may have been removed since. Remove who may not come in any more, and codes below that belong to nobody; then confirm the others.',
        )}
      </p>
      <div class="pushes">
        <Button kind="main" isBusy={isBusy} onPress={() => void change('codes.confirm', {})}>
          {t('{count, plural, one {Confirm # guest} other {Confirm all # guests}}', { count })}
        </Button>
      </div>
      <Failure failure={failure} />
    </section>
  );
}
