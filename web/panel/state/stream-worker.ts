// The shared worker of the dashboard's tabs: holds their one stream of events.
import { browserNow } from '../../shared/browser-clock.ts';
import { StreamHub, type Wanted } from './stream-hub.ts';

const hub = new StreamHub((url) => new EventSource(url), browserNow);

addEventListener('connect', (event) => {
  const [port] = event instanceof MessageEvent ? event.ports : [];
  port?.addEventListener('message', ({ data }: MessageEvent<Wanted>) => hub.receive(port, data));
  port?.start();
});
