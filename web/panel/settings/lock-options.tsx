// The options of one lock: each is stored as soon as it is set, and the page shows what Home makes of it.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { LockSettingsView } from '../../../src/panel/views/lock-settings.ts';
import { t } from '../../../src/words/translate.ts';
import { Switch } from '../parts/fields.tsx';
import { Button, Failure, Question, Status } from '../parts/pieces.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { useAction, usePageContext } from '../state/page-context.ts';
import { type Configure, type MoreProps, Switches, Texts } from './lock-option-fields.tsx';

interface LockProps {
  readonly lock: LockSettingsView;
  readonly name: string;
}

export function LockOptions({ lock, name }: LockProps): VNode {
  const { call, read } = usePageContext();
  const keeping = useAction();
  const [effect, setEffect] = useState('');
  const [isAsking, setAsking] = useState(false);
  const configure: Configure = async (change, said) => {
    setEffect('');
    const isKept = await keeping.run(async () =>
      call('locks.configure', { lock: lock.id, settings: change }),
    );
    setEffect(isKept ? said : '');
    await read('locks.settings');
    return isKept;
  };
  // Announced at the person's place, because text behind a sheet is not read out.
  const outcome = (
    <>
      <Status>{effect !== '' && <p class="kept-note">{effect}</p>}</Status>
      <Failure failure={keeping.failure} />
    </>
  );
  return (
    <>
      <Switch
        label={t('Show in Home')}
        of={name}
        isOn={!lock.hide.value && !isAsking}
        isFixed={lock.hide.from === 'config'}
        onSwitch={(isShown) => {
          if (isShown) {
            void configure({ hide: false }, t('Saved. Home shows {name}.', { name }));
          } else {
            setAsking(true);
          }
        }}
      />
      {isAsking && (
        <HideQuestion
          name={name}
          isBusy={keeping.isBusy}
          onHide={() => {
            setAsking(false);
            void configure({ hide: true }, t('Saved. {name} was removed from Home.', { name }));
          }}
          onClose={() => setAsking(false)}
        />
      )}
      <NamedOptions
        lock={lock}
        name={name}
        configure={configure}
        outcome={outcome}
        onTurn={() => setEffect('')}
      />
    </>
  );
}

/** The name and the options, in a sheet. `onTurn`: it is opened or closed. */
function NamedOptions(props: MoreProps & { readonly outcome: VNode; readonly onTurn: () => void }): VNode {
  const { lock, name, configure, outcome, onTurn } = props;
  const [isOpen, setOpen] = useState(false);
  const turn = (isNowOpen: boolean): void => {
    onTurn();
    setOpen(isNowOpen);
  };
  return (
    <>
      <div class="pushes">
        <Button of={name} onPress={() => turn(true)}>
          {t('Name and options')}
        </Button>
      </div>
      {isOpen ? (
        <Sheet title={name} onClose={() => turn(false)}>
          <Switches lock={lock} name={name} configure={configure} />
          <Texts lock={lock} name={name} configure={configure} />
          {outcome}
        </Sheet>
      ) : (
        outcome
      )}
    </>
  );
}

/** Asked before a lock is hidden, because its settings in Home are lost. */
function HideQuestion(props: {
  readonly name: string;
  readonly isBusy: boolean;
  readonly onHide: () => void;
  readonly onClose: () => void;
}): VNode {
  const { name, isBusy, onHide, onClose } = props;
  return (
    <Sheet title={t('Hide {name}', { name })} onClose={onClose}>
      <Question
        action={t('Hide')}
        of={name}
        question={t(
          'It leaves Home with its room and automations. Shown again, it comes back as a new accessory.',
        )}
        isBusy={isBusy}
        onConfirm={onHide}
        onCancel={onClose}
      />
    </Sheet>
  );
}
