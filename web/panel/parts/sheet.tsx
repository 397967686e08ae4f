// A sheet over the page: a form, options or a question, with everything behind it out of reach until it is closed.
import { type ComponentChildren, createContext, type VNode } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { PageOperation } from '../../../src/panel/operations/panel-api.ts';
import { t } from '../../../src/words/translate.ts';
import type { Reading } from '../state/account-state.ts';
import { useChange } from '../state/page-context.ts';
import { CloseIcon } from './icons.tsx';
import { Failure, Question } from './pieces.tsx';

/** The title of the sheet around, which a form in it is called, too. */
export const SheetTitle = createContext('');

/** Escape closes it, and the focus goes back to where it came from. */
export function Sheet(props: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}): VNode {
  const { title, onClose, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const isGone = useRef(false);
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  // Closed before it is removed from the page: only then does the focus go back.
  useLayoutEffect(() => {
    const sheet = dialog.current;
    const isFramed = document.querySelector('[data-place="homebridge-ui"]') !== null;
    sheet?.showModal();
    heading.current?.focus({ preventScroll: isFramed });
    const placing = isFramed && sheet !== null ? placeInSight(sheet) : null;
    return () => {
      placing?.disconnect();
      isGone.current = true;
      sheet?.close();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class="sheet"
      aria-labelledby={id}
      onClose={() => {
        // The event comes late: another sheet may be open by then.
        if (!isGone.current) {
          onClose();
        }
      }}
    >
      <header>
        <h3 ref={heading} id={id} tabIndex={-1}>
          <bdi>{title}</bdi>
        </h3>
        <button type="button" class="push dots" aria-label={t('Close')} onClick={onClose}>
          <CloseIcon />
        </button>
      </header>
      <SheetTitle.Provider value={title}>{children}</SheetTitle.Provider>
    </dialog>
  );
}

/** What a sheet needs to be of use, in pixels. */
const LEAST_HEIGHT = 400;

/** The frame in the Homebridge UI is as high as its page, most of it out of sight. The sheet goes where the person looks. */
function placeInSight(sheet: HTMLDialogElement): IntersectionObserver {
  const observer = new IntersectionObserver(([entry]) => {
    if (entry !== undefined) {
      const { top, height } = entry.intersectionRect;
      const highest = Math.max(0, window.innerHeight - LEAST_HEIGHT);
      sheet.style.setProperty('--seen-from', `${String(Math.min(top, highest))}px`);
      sheet.style.setProperty('--seen-height', `${String(Math.max(height, LEAST_HEIGHT))}px`);
      observer.disconnect();
    }
  });
  observer.observe(document.documentElement);
  return observer;
}

/** What removes something. */
export interface Removal {
  readonly question: string;
  readonly operation: PageOperation;
  readonly input: object;
  /** The answers that it changes. */
  readonly outdated: readonly Reading[];
}

/** Asks before something is removed, and closes once it was. */
export function RemoveSheet(props: Removal & { readonly name: string; readonly onClose: () => void }): VNode {
  const { name, question, operation, input, outdated, onClose } = props;
  const { isBusy, failure, change } = useChange(...outdated);
  const remove = async (): Promise<void> => {
    if (await change(operation, input)) {
      onClose();
    }
  };
  return (
    <Sheet title={t('Remove {name}', { name })} onClose={onClose}>
      <Question
        action={t('Remove')}
        of={name}
        question={question}
        isBusy={isBusy}
        onConfirm={() => void remove()}
        onCancel={onClose}
      />
      <Failure failure={failure} />
    </Sheet>
  );
}
