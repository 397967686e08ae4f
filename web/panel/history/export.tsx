// Saves the history as a file: read part by part over the page's own login, then handed to the browser.
import type { VNode } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { ExportFormat, ExportPart } from '../../../src/panel/views/history.ts';
import { t } from '../../../src/words/translate.ts';
import { saveFile } from '../parts/files.ts';
import { Button, Failure, Status } from '../parts/pieces.tsx';
import { tRich } from '../parts/rich.tsx';
import { useAction, usePageContext } from '../state/page-context.ts';
import type { ShownFilter } from './feed.ts';

const TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv;charset=utf-8',
  json: 'application/json',
};

export function HistoryExport({ filter }: { readonly filter: ShownFilter }): VNode {
  const { place } = usePageContext();
  // The window of the Homebridge UI is a frame, in which a browser may not save a file.
  return place === 'homebridge-ui' ? (
    <p class="about">
      {tRich('To save the history as a file, open the dashboard, or run <code>{command}</code>.', {
        command: 'latchkey history --export history.csv',
      })}
    </p>
  ) : (
    <Export filter={filter} />
  );
}

function Export({ filter }: { readonly filter: ShownFilter }): VNode {
  const { call } = usePageContext();
  const working = useAction();
  /** The number of entries read so far; null while there is no export. */
  const [count, setCount] = useState<number | null>(null);
  const [saved, setSaved] = useState('');
  const isCancelled = useRef(false);
  const cancel = (): void => {
    isCancelled.current = true;
  };
  useEffect(() => cancel, []);
  const save = async (format: ExportFormat): Promise<void> => {
    isCancelled.current = false;
    setSaved('');
    setCount(0);
    const texts: string[] = [];
    let read = 0;
    for (let below: ExportPart['next'] = null; ; ) {
      const part: ExportPart = await call('history.export', { ...filter, format, below });
      if (isCancelled.current) {
        return;
      }
      texts.push(part.text);
      read += part.lines;
      setCount(read);
      if (part.next === null) {
        break;
      }
      below = part.next;
    }
    const name = `latchkey-history.${format}`;
    saveFile(name, new Blob(texts, { type: TYPES[format] }));
    setSaved(t('Saved {count, plural, one {# entry} other {# entries}} as {name}.', { count: read, name }));
  };
  const start = async (format: ExportFormat): Promise<void> => {
    await working.run(async () => save(format));
    setCount(null);
  };
  return (
    <div class="export">
      <Status>{saved}</Status>
      {count === null ? (
        <div class="pushes">
          {(['csv', 'json'] as const).map((format) => (
            <Button key={format} onPress={() => void start(format)}>
              {t('Export {format}', { format: format.toUpperCase() })}
            </Button>
          ))}
        </div>
      ) : (
        <Progress count={count} onCancel={cancel} />
      )}
      <Failure failure={working.failure} />
    </div>
  );
}

/** How many there are in all is known at the end only. */
function Progress({ count, onCancel }: { readonly count: number; readonly onCancel: () => void }): VNode {
  const id = useId();
  return (
    <div class="pushes">
      <label for={id}>{t('Exporting: {count, plural, one {# entry} other {# entries}} …', { count })}</label>
      <progress id={id} />
      <Button onPress={onCancel}>{t('Cancel')}</Button>
    </div>
  );
}
