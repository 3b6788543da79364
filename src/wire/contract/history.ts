import * as z from 'zod';

import { field } from '../../core/base/field.ts';
import {
  facet,
  folderInput,
  historyEntry,
  historyItem,
  historyItems,
  historyLimits,
  historyMatch,
  historyOutcome,
  historyQuery,
  historyStorage,
  historyView,
  notesInput,
  retentionPreview,
  retentionRule,
  tagInput,
  unreadableItem,
} from '../../core/history/history.ts';
import { none } from './common.ts';

/** Part of the contract: everything `history.*`. */
export const historyMethods = {
  'history.list': {
    changes: false,
    input: historyQuery,
    output: z.object({
      entries: field.list(historyEntry),
      /** Of the filter, without limit and offset. */ total: field.count(),
      /** Where a text was given: why each entry of this page is there. */ matched:
        field.list(historyMatch),
    }),
  },
  /**
   * Tags and folders in use, and how many entries lie where; those in Deleted are counted in
   * `deleted` only.
   */
  'history.facets': {
    changes: false,
    input: none,
    output: z.object({
      tags: field.list(facet('tag')),
      folders: field.list(facet('folder')),
      active: field.count(),
      archived: field.count(),
      deleted: field.count(),
      favourites: field.count(),
    }),
  },
  'history.annotate': {
    changes: true,
    input: z.object({
      items: historyItems,
      patch: z.object({
        addTags: z.array(tagInput).max(historyLimits.tagsPerEntry).default([]),
        removeTags: z.array(field.name('tag').max(1_000)).max(200).default([]),
        folder: folderInput.nullable().optional(),
        favourite: z.boolean().optional(),
        /** Markdown; '' removes them. */ notes: notesInput.optional(),
      }),
    }),
    output: historyOutcome,
  },
  'history.notes': {
    changes: false,
    input: historyItem,
    output: z.object({ markdown: field.document(), changedAtMs: field.timeMs().nullable() }),
  },
  'history.archive': {
    changes: true,
    input: z.object({ items: historyItems, archived: z.boolean() }),
    output: historyOutcome,
  },
  /**
   * Puts entries into Deleted; `history.restore` takes them back. Refused while a run runs, and of
   * a run that a study needs.
   */
  'history.delete': {
    changes: true,
    input: z.object({ items: historyItems }),
    output: historyOutcome,
  },
  /** Takes entries out of Deleted; a study brings the runs it needs along. */
  'history.restore': {
    changes: true,
    input: z.object({ items: historyItems }),
    output: historyOutcome,
  },
  /**
   * Removes entries that lie in Deleted for ever. What was begun is finished, by the next engine if
   * need be.
   */
  'history.purge': {
    changes: true,
    input: z.object({ items: historyItems }),
    output: historyOutcome,
  },
  /**
   * Entries that cannot be read, as far as that was seen: on no list, in nobody's way, and to be
   * put away by their id.
   */
  'history.unreadable': {
    changes: false,
    input: none,
    output: z.object({
      /** Of the database. */ file: field.address('file'),
      items: field.list(unreadableItem),
    }),
  },
  /** What is stored of an entry, as it is: also of one that cannot be read. */
  'history.raw': {
    changes: false,
    input: historyItem,
    output: z.object({ text: field.document() }),
  },
  'history.storage': { changes: false, input: none, output: historyStorage },
  'history.retention.get': { changes: false, input: none, output: retentionRule },
  /** Keeps the rule; switched on, it is applied at once, at every start and daily. */
  'history.retention.set': { changes: true, input: retentionRule, output: retentionRule },
  /** What the rule, or another one, would remove now. */
  'history.retention.preview': {
    changes: false,
    input: z.object({ rule: retentionRule.optional() }),
    output: retentionPreview,
  },
  'history.views.list': { changes: false, input: none, output: field.list(historyView) },
  'history.views.save': { changes: true, input: historyView, output: historyView },
  'history.views.remove': {
    changes: true,
    input: z.object({ id: field.id('view') }),
    output: none,
  },
} as const;
