// Tabs of one browser share one stream of events: who hears what, and when it is opened anew.
import { describe, expect, it } from 'vitest';
import { type Relayed, StreamHub } from '../../../web/panel/state/stream-hub.ts';
import { ManualClock } from '../../support/manual-clock.ts';

class Source extends EventTarget {
  readyState = 0;
  close(): void {
    this.readyState = 2;
  }
  emit(type: string, data?: string): void {
    this.readyState = type === 'error' ? 0 : 1;
    this.dispatchEvent(data === undefined ? new Event(type) : new MessageEvent(type, { data }));
  }
}

class Tab {
  readonly heard: Relayed[] = [];
  postMessage(relayed: Relayed): void {
    this.heard.push(relayed);
  }
}

const URL_OF_STREAM = 'http://127.0.0.1:18582/api/events';

function hubWith(tabs: number) {
  const clock = new ManualClock();
  const sources: Source[] = [];
  const hub = new StreamHub(
    () => {
      const source = new Source();
      sources.push(source);
      return source;
    },
    () => clock.now(),
  );
  const open = Array.from({ length: tabs }, () => new Tab());
  for (const tab of open) {
    hub.receive(tab, { url: URL_OF_STREAM });
  }
  return { clock, hub, sources, tabs: open };
}

describe('the stream that tabs share (faults#160)', () => {
  it('is one for eight tabs, and each hears every event', () => {
    const { sources, tabs } = hubWith(8);
    sources[0]?.emit('open');
    sources[0]?.emit('message', '{"type":"activity"}');
    sources[0]?.emit('heartbeat');
    expect(sources).toHaveLength(1);
    for (const { heard } of tabs) {
      expect(heard.map(({ type, data }) => [type, data])).toEqual([
        ['open', null],
        ['message', '{"type":"activity"}'],
        ['heartbeat', null],
      ]);
    }
  });

  it('tells a tab that comes later that it is open', () => {
    const { hub, sources } = hubWith(1);
    sources[0]?.emit('open');
    const later = new Tab();
    hub.receive(later, { url: URL_OF_STREAM });
    expect(later.heard).toEqual([{ type: 'open', readyState: 1, data: null }]);
    expect(sources).toHaveLength(1);
  });

  it('is opened once more when it ended or fell silent, whichever tab asks first', async () => {
    const { clock, hub, sources, tabs } = hubWith(3);
    sources[0]?.emit('open');
    await clock.advance(4_499);
    hub.receive(new Tab(), { url: URL_OF_STREAM });
    expect(sources).toHaveLength(1);
    await clock.advance(1);
    for (const tab of tabs) {
      hub.receive(tab, { url: URL_OF_STREAM });
    }
    expect(sources.map(({ readyState }) => readyState)).toEqual([2, 0]);
    sources[0]?.emit('message', 'of the former stream');
    expect(tabs.flatMap(({ heard }) => heard).filter(({ type }) => type === 'message')).toEqual([]);
    sources[1]?.close();
    hub.receive(tabs[0] ?? new Tab(), { url: URL_OF_STREAM });
    expect(sources).toHaveLength(3);
  });

  it('goes on for the others when a tab is closed, and ends with the last one', () => {
    const { hub, sources, tabs } = hubWith(2);
    const [one = new Tab(), other = new Tab()] = tabs;
    sources[0]?.emit('open');
    hub.receive(one, { url: null });
    sources[0]?.emit('heartbeat');
    expect([one.heard.length, other.heard.length, sources[0]?.readyState]).toEqual([1, 2, 1]);
    hub.receive(other, { url: null });
    expect(sources[0]?.readyState).toBe(2);
  });
});
