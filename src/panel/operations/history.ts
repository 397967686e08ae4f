// The panel's operations on the history of all locks.
import { z } from 'zod';
import { isMethodWord, MOVE_METHODS } from '../../domain/history/page.ts';
import { lockId } from '../../domain/locks/lock.ts';
import type { HistoryApi, HistoryLook, HistoryQuery } from '../views/history.ts';
import { nothing, pageRows } from './operation.ts';

/** Lines of one answer at most (our choice). */
const MOST_LINES = 500;

/** Weeks back at most: ten years, which is the longest that a history is kept. */
const MOST_WEEKS = 522;

const lockIds = () => z.array(z.string().min(1).max(200).transform(lockId)).max(500);
const instant = () => z.number().int();
const day = () => z.iso.date();
const methods = () => z.array(z.string().refine(isMethodWord)).max(20);
const filter = () =>
  z.object({
    locks: lockIds().nullish(),
    since: instant().nullish(),
    until: instant().nullish(),
    firstDay: day().nullish(),
    lastDay: day().nullish(),
    person: z.string().min(1).max(200).nullish(),
    methods: methods().nullish(),
  });
const cursor = () =>
  z.object({
    at: z.number(),
    lock: z.string().min(1).max(200).transform(lockId),
    id: z.string().max(500),
  });
const page = () => filter().extend({ below: cursor().nullish(), limit: z.int().min(1).max(MOST_LINES) });
const look = () =>
  filter().extend({
    limit: z.int().min(1).max(MOST_LINES),
    weeksAgo: z.int().min(0).max(MOST_WEEKS),
  });
const file = () => filter().extend({ below: cursor().nullish(), format: z.enum(['csv', 'json']) });
const refresh = () => z.object({ locks: lockIds().nullish() });

/** A lock, a person by the whole name, or both: never everything by a member that was left out. */
const erased = () =>
  z
    .object({
      lock: z.string().min(1).max(200).transform(lockId).nullable(),
      person: z.string().min(1).max(200).nullable(),
    })
    .refine(({ lock, person }) => lock !== null || person !== null);

const row = pageRows(({ archived }: { readonly archived: HistoryApi }) => archived);
const owned = pageRows((parts: { readonly archived: HistoryApi; readonly assertOwned: () => void }) => {
  parts.assertOwned();
  return parts.archived;
});

export const HISTORY_OPERATIONS = {
  'history.page': row('reads', page, (api, { below = null, limit, ...asked }) =>
    api.page(queryOf(asked), below, limit),
  ),
  'history.look': row('reads', look, async (api, { limit, weeksAgo, ...asked }): Promise<HistoryLook> => {
    const query = queryOf(asked);
    return {
      page: api.page(query, null, limit),
      today: api.today(query),
      week: await api.week(query, weeksAgo),
    };
  }),
  'history.people': row('reads', nothing, (api) => api.people()),
  'history.export': row('reads', file, (api, { below = null, format, ...asked }) =>
    api.export(queryOf(asked), format, below),
  ),
  'history.count': row('reads', erased, (api, what) => ({ entries: api.count(what) })),
  'history.erase': owned('changes', erased, async (api, what) => ({
    entries: await api.erase(what),
  })),
  'history.refresh': row('reads', refresh, async (api, { locks = null }) => ({
    unanswered: await api.refresh(locks),
  })),
};

function queryOf(asked: z.output<ReturnType<typeof filter>>): HistoryQuery {
  const { locks = null, since = null, until = null, person = null, methods: words } = asked;
  const { firstDay = null, lastDay = null } = asked;
  const chosen = words?.flatMap((word) => (isMethodWord(word) ? MOVE_METHODS[word] : []));
  return { locks, since, until, firstDay, lastDay, person, methods: chosen ?? null };
}
