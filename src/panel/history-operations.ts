// The panel's operations on the history of all locks.
import { z } from 'zod';
import { type HistoryFilter, isMethodWord, MOVE_METHODS } from '../domain/history-page.ts';
import { lockId } from '../domain/lock.ts';
import type { HistoryApi } from './history-view.ts';
import { nothing, operation } from './operation.ts';

/** Lines of one answer at most (our choice). */
const MOST_LINES = 500;

/** Weeks back at most: ten years, which is the longest that a history is kept. */
const MOST_WEEKS = 522;

const lockIds = z.array(z.string().min(1).max(200).transform(lockId)).max(500);
const instant = z.number().int();
const methods = z.array(z.string().refine(isMethodWord)).max(20);
const filter = z.object({
  locks: lockIds.nullish(),
  since: instant.nullish(),
  until: instant.nullish(),
  person: z.string().min(1).max(200).nullish(),
  methods: methods.nullish(),
});
const cursor = z.object({
  at: z.number(),
  lock: z.string().min(1).max(200).transform(lockId),
  id: z.string().max(500),
});
const page = filter.extend({ below: cursor.nullish(), limit: z.int().min(1).max(MOST_LINES) });
const week = filter.extend({ weeksAgo: z.int().min(0).max(MOST_WEEKS) });
const file = filter.extend({ below: cursor.nullish(), format: z.enum(['csv', 'json']) });
const refresh = z.object({ locks: lockIds.nullish() });

export function historyOperations(api: HistoryApi) {
  return {
    'history.page': operation(page, async ({ below = null, limit, ...asked }) =>
      api.page(filterOf(asked), below, limit),
    ),
    'history.week': operation(week, async ({ weeksAgo, ...asked }) => api.week(filterOf(asked), weeksAgo)),
    'history.today': operation(filter, async (asked) => api.today(filterOf(asked))),
    'history.people': operation(nothing, async () => api.people()),
    'history.export': operation(file, async ({ below = null, format, ...asked }) =>
      api.export(filterOf(asked), format, below),
    ),
    'history.refresh': operation(refresh, async ({ locks = null }) => ({
      unanswered: await api.refresh(locks),
    })),
  };
}

function filterOf(asked: z.output<typeof filter>): HistoryFilter {
  const { locks = null, since = null, until = null, person = null, methods: words } = asked;
  const chosen = words?.flatMap((word) => (isMethodWord(word) ? MOVE_METHODS[word] : []));
  return { locks, since, until, person, methods: chosen ?? null };
}
