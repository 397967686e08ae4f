// The requests as they come in: their path, their result, and their duration.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { RequestLine } from '../src/control/request-line.ts';
import { Lines, Part } from './pieces.tsx';
import { clockWords } from './words.ts';

const isOfPartner = ({ path }: RequestLine): boolean => !path.startsWith('/_control/');

export function Requests({ requests }: { readonly requests: readonly RequestLine[] }): VNode {
  const [withControl, setWithControl] = useState(false);
  const shown = withControl ? requests : requests.filter(isOfPartner);
  return (
    <Part title="Requests" note={noteOf(requests.find(isOfPartner))}>
      {() => (
        <>
          <label class="switch">
            <input
              type="checkbox"
              checked={withControl}
              onChange={({ currentTarget }) => setWithControl(currentTarget.checked)}
            />{' '}
            Include control calls
          </label>
          <Lines
            label="List of requests"
            columns={['Time', 'Call', 'Status', 'ms']}
            none="No partner has called yet."
          >
            {shown.map(({ sequence, at, method, path, status, tookMs }) => (
              <tr key={sequence} data-failed={status === null || status >= 400}>
                <td>{clockWords(Date.parse(at))}</td>
                <td>
                  {method} <span class="path">{path}</span>
                </td>
                <td>{status ?? 'cut off'}</td>
                <td>{tookMs}</td>
              </tr>
            ))}
          </Lines>
        </>
      )}
    </Part>
  );
}

/** The latest call of a partner, with its result. */
function noteOf(latest: RequestLine | undefined): string {
  return latest === undefined ? '' : `${latest.method} ${latest.path}, ${String(latest.status ?? 'cut off')}`;
}
