// Saves the history as a file: read part by part over the page's own login, then handed to the browser.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { ExportFormat, ExportPart } from '../../src/panel/history-view.ts';
import type { ShownFilter } from './history-filter.tsx';
import { useAction, usePageContext } from './page-context.ts';
import { Button, Failure, Part, Status } from './pieces.tsx';

const TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv;charset=utf-8',
  json: 'application/json',
};

export function HistoryExport({ filter }: { readonly filter: ShownFilter }): VNode {
  const { place, call } = usePageContext();
  const working = useAction();
  const [saved, setSaved] = useState('');
  const save = async (format: ExportFormat): Promise<void> => {
    setSaved('');
    const texts: string[] = [];
    for (let below: ExportPart['next'] = null; ; ) {
      const part: ExportPart = await call('history.export', { ...filter, format, below });
      texts.push(part.text);
      if (part.next === null) {
        break;
      }
      below = part.next;
    }
    const name = `latchkey-history.${format}`;
    hand(name, new Blob(texts, { type: TYPES[format] }));
    setSaved(`Saved as ${name}.`);
  };
  if (place === 'homebridge-ui') {
    // The window of the Homebridge UI is a frame, in which a browser may not save a file.
    return (
      <Part title="Export">
        <p class="about">
          To save the history as a file, open the dashboard, or run{' '}
          <code>latchkey history --export history.csv</code>.
        </p>
      </Part>
    );
  }
  return (
    <Part title="Export">
      <p class="about">All entries that match the filter above.</p>
      <div class="pushes">
        {(['csv', 'json'] as const).map((format) => (
          <Button
            key={format}
            isBusy={working.isBusy}
            onPress={() => {
              void working.run(async () => save(format));
            }}
          >
            {`Export ${format.toUpperCase()}`}
          </Button>
        ))}
      </div>
      <Status>{saved}</Status>
      <Failure failure={working.failure} />
    </Part>
  );
}

function hand(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
