import { Anchor, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';

import { useShownObject } from '../kit/pageObject.ts';
import type { Place } from './Rail.tsx';
import classes from './shell.module.css';

/** Where one is: the place of the rail, its list, and the thing on show. */
export function Breadcrumb({ here, list }: Place) {
  const { pathname } = useLocation();
  const object = useShownObject();
  return (
    <nav aria-label="Breadcrumb" className={classes.crumbs}>
      {here && (
        <Anchor component={Link} to={here.path} size="sm">
          {here.name}
        </Anchor>
      )}
      {list && (list.path !== pathname || !list.hasTab) && (
        <>
          <Slash />
          <Anchor component={Link} to={list.path} size="sm">
            {list.name}
          </Anchor>
        </>
      )}
      {object && (
        <>
          <Slash />
          {object.rename ? (
            <Renamed key={pathname} name={object.name} onName={object.rename} />
          ) : (
            <Text size="sm" className={classes.object} aria-current="page" title={object.name}>
              {object.name}
            </Text>
          )}
        </>
      )}
    </nav>
  );
}

const Slash = () => (
  <Text c="dimmed" aria-hidden>
    /
  </Text>
);

/** A name that becomes a field when it is pressed: Enter keeps what is typed, Escape does not. */
function Renamed({ name, onName }: { name: string; onName: (name: string) => void }) {
  const [typed, setTyped] = useState<string | null>(null);
  const keep = (): void => {
    if (typed !== null && typed.trim() !== '') onName(typed.trim());
    setTyped(null);
  };
  if (typed === null)
    return (
      <UnstyledButton
        className={classes.object}
        title={`${name}: press to rename`}
        aria-label={`Rename ${name}`}
        onClick={() => setTyped(name)}
      >
        {name}
      </UnstyledButton>
    );
  return (
    <TextInput
      size="xs"
      w={260}
      aria-label="New name"
      data-autofocus
      ref={(field) => field?.focus()}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={keep}
      onKeyDown={(event) => {
        if (event.key === 'Enter') keep();
        if (event.key === 'Escape') setTyped(null);
      }}
    />
  );
}
