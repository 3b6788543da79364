import { fail } from '../../../src/core/base/errors.ts';
import { historyLimits, type HistoryView } from '../../../src/core/history/history.ts';
import type { Emit, Handlers } from '../../../src/wire/contract.ts';
import type { Database } from '../db/types.ts';

type Methods = Pick<Handlers, Extract<keyof Handlers, `history.views.${string}`>>;

/** Filters of the history that people saved under a name. */
export function viewMethods({ db, emit }: { db: Pick<Database, 'settings'>; emit: Emit }): Methods {
  return {
    'history.views.list': async () => db.settings.views(),
    'history.views.save': async (view) => {
      demandSavable(view, db.settings.views());
      db.settings.saveView(view);
      emit('history.changed', { items: [] });
      return view;
    },
    'history.views.remove': async ({ id }) => {
      db.settings.removeView(id);
      emit('history.changed', { items: [] });
      return {};
    },
  };
}

function demandSavable(view: HistoryView, views: readonly HistoryView[]): void {
  const others = views.filter((one) => one.id !== view.id);
  if (others.length === views.length && views.length >= historyLimits.views)
    throw fail(
      'conflict',
      `There are ${views.length} saved filters; more are not kept.`,
      'Remove one first.',
    );
  if (others.some((one) => one.name.toLowerCase() === view.name.toLowerCase()))
    throw fail('conflict', `A filter is called ${view.name} already.`, 'Choose another name.');
}
