// Turns of the event loop: work that blocks everything is never done twice in a row.
import { MessageChannel } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import { commitNow, LoopCommitScheduler, scheduleCommit } from '../../../src/support/commit-scheduler.ts';

async function immediate(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/**
 * What happened, in order. `asking`: work that asks for I/O, which happens when the event loop polls; `work`: work that does not.
 */
function fixture() {
  const order: string[] = [];
  const { port1, port2 } = new MessageChannel();
  port2.on('message', () => {
    order.push('polled');
  });
  onTestFinished(() => {
    port1.close();
  });
  const ask = (): void => {
    port1.postMessage('');
  };
  const work = (name: string) => (): void => {
    order.push(name);
  };
  const asking = (name: string) => (): void => {
    ask();
    order.push(name);
  };
  return { order, ask, work, asking };
}

describe('the turns of the scheduler', () => {
  it('are given at once where nothing blocked the event loop', () => {
    const { order, work } = fixture();
    new LoopCommitScheduler().take(work('work'));
    expect(order).toEqual(['work']);
  });

  it.each([
    ['a timer', (work: () => void): void => void setTimeout(work, 1)],
    ['an immediate', (work: () => void): void => void setImmediate(work)],
    ['a message', messaged],
    ['a promise', (work: () => void): void => void Promise.resolve().then(work)],
  ])('let requests that came during work begun in %s be read before the next', async (_, begin) => {
    const commits = new LoopCommitScheduler();
    const { order, asking } = fixture();
    const { promise, resolve } = Promise.withResolvers<void>();
    begin(() => {
      commits.take(asking('first'));
      commits.take(asking('second'));
      commits.take(() => {
        order.push('third');
        resolve();
      });
    });
    await promise;
    expect(order).toEqual(['first', 'polled', 'second', 'polled', 'third']);
  });

  it('are given later when other work blocked the loop', async () => {
    const commits = new LoopCommitScheduler();
    const { order, ask, work } = fixture();
    ask();
    commits.held();
    await scheduleCommit(commits, work('work'));
    expect(order).toEqual(['polled', 'work']);
  });

  it('begin anew when the loop is blocked again meanwhile', async () => {
    const commits = new LoopCommitScheduler();
    const { order, ask, work } = fixture();
    commits.held();
    commits.take(work('work'));
    await immediate();
    ask();
    commits.held();
    await immediate();
    expect(order).not.toContain('work');
    await immediate();
    await immediate();
    expect(order).toEqual(['polled', 'work']);
  });

  it('go first to work that a caller waits for, and then by the order of requests', async () => {
    const commits = new LoopCommitScheduler();
    const { order, work } = fixture();
    commits.held();
    const all = ['a', 'b', 'c'].map(async (name) => scheduleCommit(commits, work(name)));
    commits.takeFirst(work('urgent'));
    await Promise.all(all);
    expect(order).toEqual(['urgent', 'a', 'b', 'c']);
  });

  it('are for each work alone, also when one asks for another', async () => {
    const commits = new LoopCommitScheduler();
    const { order, ask } = fixture();
    await new Promise<void>((resolve) => {
      commits.take(() => {
        ask();
        commits.take(() => {
          order.push('inner');
          resolve();
        });
        order.push('outer');
      });
    });
    expect(order).toEqual(['outer', 'polled', 'inner']);
  });

  it('are given at once where no request has to be read', () => {
    const { order, work } = fixture();
    commitNow.take(work('take'));
    commitNow.held();
    commitNow.takeFirst(work('takeFirst'));
    expect(order).toEqual(['take', 'takeFirst']);
  });
});

function messaged(work: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port2.once('message', () => {
    port1.close();
    work();
  });
  port1.postMessage('');
}
