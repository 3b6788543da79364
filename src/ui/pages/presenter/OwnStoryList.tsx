import { Link } from 'react-router';

import { counted } from '../../../core/base/counted.ts';
import { editStoryPath, ownStoryPath } from '../../addresses/presentTarget.ts';
import { useOwnStories } from './ownStories.ts';

/** Stories of one's own runs and studies, each with the way to change it, and a new one. */
export function OwnStoryList() {
  const { stories } = useOwnStories();
  return (
    <ul>
      {stories.flatMap((story) => [
        <li key={story.id}>
          <Link to={ownStoryPath(story.id)}>
            {story.title}
            <small>{counted(story.steps.length, 'step')}</small>
          </Link>
        </li>,
        <li key={`${story.id} edit`}>
          <Link to={editStoryPath(story.id)}>{`Edit ${story.title}`}</Link>
        </li>,
      ])}
      <li>
        <Link to={editStoryPath('new')}>
          New story
          <small>From your own runs and studies, with headlines and speaker notes</small>
        </Link>
      </li>
    </ul>
  );
}
