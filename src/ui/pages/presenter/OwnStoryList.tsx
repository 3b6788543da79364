import { Link, useNavigate } from 'react-router';

import { counted } from '../../../core/base/counted.ts';
import { editStoryPath, ownStoryPath } from '../../addresses/presentTarget.ts';
import { useOwnStories, useStoryCommands } from './ownStories.ts';
import styles from './presentList.module.css';
import { useReadStory } from './useStoryFiles.tsx';

/** Stories of one's own runs and studies, each with the way to change it, and how to make one. */
export function OwnStoryList() {
  const navigate = useNavigate();
  const { stories } = useOwnStories();
  const { save } = useStoryCommands();
  const read = useReadStory();
  const importStory = async (): Promise<void> => {
    const story = await read();
    if (story === null) return;
    await save(story);
    void navigate(editStoryPath(story.id));
  };
  return (
    <ul className={styles.own}>
      {stories.map((story) => (
        <li key={story.id}>
          <Link to={ownStoryPath(story.id)}>
            {story.name}
            <small>{counted(story.steps.length, 'step')}</small>
          </Link>
          <Link
            to={editStoryPath(story.id)}
            className={styles.small}
            aria-label={`Edit ${story.name}`}
          >
            Edit
          </Link>
        </li>
      ))}
      <li>
        <Link to={editStoryPath('new')} className={styles.small}>
          New story
        </Link>
        <button
          type="button"
          className={styles.small}
          // A refusal is shown as a notice.
          onClick={() => void importStory().catch(() => undefined)}
        >
          Import story
        </button>
        <small>From your own runs and studies, with headlines and speaker notes</small>
      </li>
    </ul>
  );
}
