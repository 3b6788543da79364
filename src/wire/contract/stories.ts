import { field } from '../../core/base/field.ts';
import { ownStory, storyLimits } from '../../core/history/story.ts';
import { byId, none } from './common.ts';

/** Stories that people made of their own runs and studies, to be presented. */
export const storyMethods = {
  'story.list': {
    changes: false,
    input: none,
    output: field.list(ownStory, storyLimits.stories),
  },
  /** Replaces the one of its id, or adds it. */
  'story.save': { changes: true, input: ownStory, output: ownStory },
  'story.remove': { changes: true, input: byId, output: none },
} as const;
