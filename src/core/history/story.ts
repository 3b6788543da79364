import * as z from 'zod';

import { field } from '../base/field.ts';
import { parseJsonFile } from '../base/jsonFile.ts';

/** Bounds of a story: far beyond an hour in a room. */
export const storyLimits = {
  stories: 50,
  steps: 40,
  name: 120,
  headline: 160,
  notes: 4_000,
} as const;

const ownStep = z.object({
  kind: z.enum(['run', 'study']),
  /** Id of the run or study. */
  of: field.id('subject').min(1).max(200),
  /** What the room reads; '' = the name of the run or study. */
  headline: field.freeText().max(storyLimits.headline),
  /** What only the speaker reads, on the second screen. */
  notes: field.freeText().max(storyLimits.notes),
});
/** A story of one's own runs and studies: text only, shown as text wherever it stands. */
export const ownStory = z.object({
  id: field.id('story').min(1).max(100),
  name: field.freeText().min(1).max(storyLimits.name),
  steps: field.list(ownStep, storyLimits.steps),
});
export type OwnStep = z.infer<typeof ownStep>;
export type OwnStory = z.infer<typeof ownStory>;

/** A story as a file: `tilebenchStory` is the version of its layout. */
const storyFile = z.object({ tilebenchStory: z.literal(1), story: ownStory });

/**
 * Parses a story file, as exported; comments and trailing commas are allowed. Throws invalidInput
 * with `name:line:column` of each fault.
 */
export const parseStoryFile = (name: string, text: string): OwnStory =>
  parseJsonFile(name, text, storyFile, 'story', () => [], [{ path: ['tilebenchStory'], known: 1 }])
    .story;

/** The text of an exported story. */
export const storyText = (story: OwnStory): string =>
  `${JSON.stringify({ tilebenchStory: 1, story }, null, 2)}\n`;
