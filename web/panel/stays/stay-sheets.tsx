// The sheets of one stay: skip it, change its hours, give it another code.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { zoneName } from '../../../src/domain/time/schedule-time.ts';
import type { StayAnswer, StayView } from '../../../src/features/stays/panel/views.ts';
import { stayTitle } from '../../../src/words/stay-names.ts';
import { t } from '../../../src/words/translate.ts';
import { EditForm } from '../parts/edit-form.tsx';
import { Field } from '../parts/fields.tsx';
import { Button, Failure, Question } from '../parts/pieces.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { useAction, usePageContext } from '../state/page-context.ts';

interface StaySheet {
  readonly stay: StayView;
  readonly onClose: () => void;
}

const titleOf = ({ name, calendarName }: StayView): string => stayTitle(name, calendarName);

/** Saves something of a stay: closes the sheet, or has the sentence on why it was refused. */
function useSaving({ onClose }: StaySheet) {
  const { read } = usePageContext();
  const action = useAction();
  const [fault, setFault] = useState<string | null>(null);
  const save = async (ask: () => Promise<StayAnswer>): Promise<void> => {
    await action.run(async () => {
      const answer = await ask();
      await read('stays.list', 'guests.list');
      setFault(answer.kind === 'invalid' ? answer.faults.map(({ words }) => t(words)).join(' ') : null);
      if (answer.kind === 'saved') {
        onClose();
      }
    });
  };
  return { ...action, fault, save };
}

export function SkipStay(props: StaySheet): VNode {
  const { stay, onClose } = props;
  const { call } = usePageContext();
  const { isBusy, failure, save } = useSaving(props);
  return (
    <Sheet title={t('Skip {name}', { name: titleOf(stay) })} onClose={onClose}>
      <Question
        action={t('Skip this stay')}
        of={titleOf(stay)}
        question={t(
          stay.guestId === null
            ? 'It gets no code. You can use it again later.'
            : 'Its code is removed from every lock; from one that is offline, when it is back. You can use the stay again later.',
        )}
        isBusy={isBusy}
        onConfirm={() => void save(async () => call('stays.skip', { stay: stay.id }))}
        onCancel={onClose}
      />
      <Failure failure={failure} />
    </Sheet>
  );
}

export function ChangeHours(props: StaySheet): VNode {
  const { stay, onClose } = props;
  const { call } = usePageContext();
  const { isBusy, failure, fault, save } = useSaving(props);
  const [checkIn, setCheckIn] = useState(stay.checkIn);
  const [checkOut, setCheckOut] = useState(stay.checkOut);
  // Untouched hours stay those of the calendar, unless a person has set hours before.
  const typed = (now: string, before: string): string | null =>
    now.trim() === before && !stay.hasOwnHours ? null : now.trim();
  const ask = async (): Promise<StayAnswer> =>
    call('stays.hours', {
      stay: stay.id,
      checkIn: typed(checkIn, stay.checkIn),
      checkOut: typed(checkOut, stay.checkOut),
    });
  return (
    <Sheet title={t('Hours of {name}', { name: titleOf(stay) })} onClose={onClose}>
      <EditForm
        label={t('Hours of {name}', { name: titleOf(stay) })}
        action={t('Save')}
        saving={{ isBusy, failure }}
        save={async () => save(ask)}
        onClose={onClose}
        between={
          stay.hasOwnHours && (
            <Button
              isBusy={isBusy}
              onPress={() =>
                void save(async () => call('stays.hours', { stay: stay.id, checkIn: null, checkOut: null }))
              }
            >
              {t('Use the calendar’s hours')}
            </Button>
          )
        }
      >
        <Field
          label={t('Check-in')}
          help={t('On the lock’s clock ({zone}).', { zone: zoneName(stay.timeZone) })}
          kind="time"
          value={checkIn}
          fault={fault}
          showsFault
          onInput={setCheckIn}
        />
        <Field
          label={t('Check-out')}
          kind="time"
          value={checkOut}
          fault={null}
          showsFault={false}
          onInput={setCheckOut}
        />
      </EditForm>
    </Sheet>
  );
}

export function AnotherCode(props: StaySheet): VNode {
  const { stay, onClose } = props;
  const { call } = usePageContext();
  const { isBusy, failure, fault, save } = useSaving(props);
  const [pin, setPin] = useState('');
  const ask = async (): Promise<StayAnswer> =>
    call('stays.new-code', { stay: stay.id, pin: pin.trim() === '' ? null : pin.trim() });
  return (
    <Sheet title={t('Another code for {name}', { name: titleOf(stay) })} onClose={onClose}>
      <EditForm
        label={t('Another code for {name}', { name: titleOf(stay) })}
        action={t('Change the code')}
        saving={{ isBusy, failure }}
        save={async () => save(ask)}
        onClose={onClose}
      >
        <p>{t('The present code stops working. Tell your guest the new one.')}</p>
        <Field
          label={t('Code')}
          help={t('Leave empty for random digits.')}
          kind="digits"
          value={pin}
          fault={fault}
          showsFault
          onInput={setPin}
        />
      </EditForm>
    </Sheet>
  );
}
