// The panel's operations that end an account: show what would go, begin with the codes, and finish.
import { z } from 'zod';
import { message } from '../../domain/language/message.ts';
import { FinalError } from '../../support/errors.ts';
import type { EndingApi } from '../views/ending.ts';
import { nothing, pageRows } from './operation.ts';

/** The account's name, so that a person ends the one that they mean. */
const named = () => z.object({ account: z.string().max(256) });

const row = pageRows(({ ending }: { readonly ending: EndingApi }) => ending);

export const ENDING_OPERATIONS = {
  'ending.show': row('reads', nothing, (ending) => ending.show()),
  'ending.begin': row('changes', named, (ending, { account }) => meant(ending, account).begin()),
  'ending.finish': row(
    'changes',
    () => named().extend({ leaveCodes: z.boolean().default(false) }),
    async (ending, { account, leaveCodes }) => meant(ending, account).finish(leaveCodes),
  ),
};

function meant(ending: EndingApi, account: string): EndingApi {
  if (ending.show().account !== account) {
    throw new FinalError(
      'bad-request',
      message('That is not the name of this account. Nothing was changed.'),
    );
  }
  return ending;
}
